// The worker's side: waits for requests and forks.
#ifndef CUFC_SERVICE_WORKER_LOOP_H
#define CUFC_SERVICE_WORKER_LOOP_H

#include "frontend/program.h"

namespace cufc {

// One analysis may take that much processor time.
constexpr int analysisSeconds = 120;

// Serves until the other end of the socket is closed. The modules are kept loaded beside the
// intrinsic ones.
void serveAnalyses(int socket, const FrontendOptions &defaults,
                   const std::vector<std::string> &modules);

} // namespace cufc
#endif // CUFC_SERVICE_WORKER_LOOP_H
