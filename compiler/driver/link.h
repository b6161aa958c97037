// Linking an executable or shared library with the run-time libraries.
#ifndef CUFC_DRIVER_LINK_H
#define CUFC_DRIVER_LINK_H

#include "codegen/toolkit.h"
#include "driver/installation.h"
#include "driver/options.h"
#include "driver/plan.h"
#include <optional>

namespace cufc {

// The C compiler that knows where the machine's C library is; it drives the linker.
std::string cCompiler(const HostMachine &machine);

// The command that does it; `mpi` is what mpiLinkArguments says.
std::vector<std::string> linkCommand(const Plan &plan, const std::vector<std::string> &mpi,
                                     const Options &options, const Installation &installation,
                                     const std::optional<Toolkit> &toolkit);

// Links the plan's objects and libraries to its executable. False with diagnostics, and then no
// executable is left.
bool link(const Plan &plan, const Options &options, const Installation &installation,
          const std::optional<Toolkit> &toolkit, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_DRIVER_LINK_H
