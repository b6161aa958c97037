// What the kernels of a file cost on a GPU: from text to PTX to what ptxas says. Runs in a process
// of its own (Worker::measure), since flang and LLVM may end it.
#ifndef CUFC_SERVICE_MEASURE_KERNELS_H
#define CUFC_SERVICE_MEASURE_KERNELS_H

#include "codegen/device_road.h"
#include "driver/options.h"
#include "frontend/program.h"
#include "occupancy/kernel_cost.h"
#include <optional>
#include <string_view>

namespace cufc {

class ProgramStock;

struct CostRequest {
  FrontendOptions front; // scratchFile is the worker's own business
  int gpu = 90;
  CodeOptions code;      // of cufc, without checks and tables for debuggers
  std::string cache;     // folder of remembered results, or empty
  bool keepPtx = false;  // with lines of the source
  bool keepSass = false; // the same for machine code; needs keepPtx
};

// With the options of a command line of cufc.
CostRequest costRequest(FrontendOptions front, const Options &options, int gpu);

std::string toBytes(const CostRequest &request);
// Nothing if the bytes are damaged.
std::optional<CostRequest> costRequestFromBytes(std::string_view bytes);

FileCosts measureKernels(const CostRequest &request, ProgramStock *stock);

} // namespace cufc
#endif // CUFC_SERVICE_MEASURE_KERNELS_H
