// What a worker is asked to analyse, and its form between processes.
#ifndef CUFC_SERVICE_REQUEST_H
#define CUFC_SERVICE_REQUEST_H

#include "checks/checks.h"
#include "frontend/program.h"
#include <optional>
#include <string_view>

namespace cufc {

struct AnalysisRequest {
  FrontendOptions front; // scratchFile is the worker's own business
  CheckOptions checks;
  bool background = false; // others come first when the processor is short
};

std::string toBytes(const AnalysisRequest &request);
// Nothing if the bytes are damaged.
std::optional<AnalysisRequest> requestFromBytes(std::string_view bytes);

} // namespace cufc
#endif // CUFC_SERVICE_REQUEST_H
