// Runs all blocks of a grid, spread over the cores.
#ifndef CUFRT_HOST_GRID_RUN_H
#define CUFRT_HOST_GRID_RUN_H

#include "cufrt/device.h"
#include "host/grid.h"

namespace cufrt::host {

// Returns when the grid is done: success, or the error that it leaves behind, which has then been
// said on stderr: errorIllegalAddress or another one for a fault (host/fault.h), errorLaunchFailure
// if threads wait for each other for ever. Grids of several host threads run one after the other.
Error runGrid(const Grid &grid);

// The same for a cooperative launch, whose blocks may wait for each other.
Error runCooperativeGrid(const Grid &grid);

// Returns when no grid runs.
void waitForGrids();

} // namespace cufrt::host
#endif // CUFRT_HOST_GRID_RUN_H
