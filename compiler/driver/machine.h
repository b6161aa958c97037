// Options that depend on this machine or on the toolkit: processors, GPUs, versions.
#ifndef CUFC_DRIVER_MACHINE_H
#define CUFC_DRIVER_MACHINE_H

#include "base/diagnostics.h"
#include "codegen/toolkit.h"
#include "driver/options.h"
#include <optional>

namespace cufc {

// Replaces -gpu=native by what is there, leaves out GPUs that the toolkit no longer builds for, and
// reports processors and GPUs that cannot be built for.
void fitToMachine(Options &options, const std::optional<Toolkit> &toolkit,
                  Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_DRIVER_MACHINE_H
