// OpenMP in the lowering of host code. Private to lower/.
#ifndef CUFC_LOWER_OPENMP_H
#define CUFC_LOWER_OPENMP_H

#include "mlir/IR/BuiltinOps.h"

namespace cufc {

// The attribute of a module whose DO CONCURRENT loops run on several threads.
inline constexpr const char *threadsAttribute = "cufc.threads";

// lower/private_device_data.cpp: private copies of device data get memory of the device.
void placePrivateDeviceData(mlir::ModuleOp module);

// lower/openmp_reductions.cpp: the additions of a reduction may be done in any order.
void reorderReductions(mlir::ModuleOp module);

// lower/openmp_schedules.cpp: chunks of dynamic and guided loops come from one queue.
void queueChunks(mlir::ModuleOp module);

} // namespace cufc
#endif // CUFC_LOWER_OPENMP_H
