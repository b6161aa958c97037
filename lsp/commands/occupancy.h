// The forms in which `cufls occupancy` shows what it has found.
#ifndef CUFLS_COMMANDS_OCCUPANCY_H
#define CUFLS_COMMANDS_OCCUPANCY_H

#include "commands/measure_run.h"

namespace cufc {

std::string occupancyJson(const MeasuredRun &run);
// A picture of the curves over block size, registers and shared memory, a row for each kernel.
std::string occupancySvg(const MeasuredRun &run);

} // namespace cufc
#endif // CUFLS_COMMANDS_OCCUPANCY_H
