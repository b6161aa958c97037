// What a host is started with.
#ifndef CUFLS_HOST_HOST_OPTIONS_H
#define CUFLS_HOST_HOST_OPTIONS_H

#include "service/check_project.h"
#include <string>

namespace cufc {

struct HostOptions {
  ProjectCheckOptions check;
  FrontendOptions defaults; // of the worker
  std::string cacheFolder;  // of analyses
  std::string program = {}; // cufls, which tasks run; empty: the one beside this program
};

} // namespace cufc
#endif // CUFLS_HOST_HOST_OPTIONS_H
