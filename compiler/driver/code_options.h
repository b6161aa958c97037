// What the command line says of code.
#ifndef CUFC_DRIVER_CODE_OPTIONS_H
#define CUFC_DRIVER_CODE_OPTIONS_H

#include "codegen/device_road.h"
#include "driver/options.h"

namespace cufc {

// The GPU whose PTX is made: the lowest that was named, or the lowest there is.
Gpu lowestGpu(const Options &options);

// Whether objects keep lines of the source; -Minfo alone needs them while compiling.
bool keepsLines(const Options &options);

CodeOptions codeOptions(const Options &options);

} // namespace cufc
#endif // CUFC_DRIVER_CODE_OPTIONS_H
