// The compiler's own files: run-time libraries and Fortran modules, found beside the executable.
#ifndef CUFC_DRIVER_INSTALLATION_H
#define CUFC_DRIVER_INSTALLATION_H

#include "base/diagnostics.h"
#include <string>

namespace cufc {

struct Installation {
  std::string libraries; // <prefix>/lib/cufc
  std::string modules;   // <prefix>/lib/cufc/modules
};

// The installation of the running executable: <prefix>/bin/cufc and <prefix>/lib/cufc.
Installation findInstallation(Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_DRIVER_INSTALLATION_H
