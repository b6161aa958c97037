// The compiler's own files: run-time libraries and Fortran modules, found beside the executable.
#ifndef CUFC_DRIVER_INSTALLATION_H
#define CUFC_DRIVER_INSTALLATION_H

#include "base/diagnostics.h"
#include "base/host_machine.h"
#include <string>

namespace cufc {

struct Installation {
  std::string
      libraries;       // <prefix>/lib/cufc; for another machine its folder there, which is like it
  std::string modules; // modules/ below that
};

// The installation of the running executable: <prefix>/bin/cufc and <prefix>/lib/cufc.
Installation findInstallation(Diagnostics &diagnostics, const HostMachine &machine = thisMachine);

} // namespace cufc
#endif // CUFC_DRIVER_INSTALLATION_H
