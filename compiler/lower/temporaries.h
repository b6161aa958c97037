// Memory for array results that kernels compute for host code.
#ifndef CUFC_LOWER_TEMPORARIES_H
#define CUFC_LOWER_TEMPORARIES_H

#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"

namespace cufc {

// Whether the array that `op` yields is only the source of a transfer to the device.
bool onlyTransferredToDevice(mlir::Operation *op);

// The array result of an operation, computed by a kernel: in device memory if it is only
// transferred there, otherwise in pinned memory, which host code can read when the kernel has
// finished.
class DeviceResult {
public:
  // Allocates before `op`; `extents` are index values.
  DeviceResult(fir::FirOpBuilder &builder, mlir::Operation *op,
               llvm::ArrayRef<mlir::Value> extents);

  // In a kernel: stores an element, by its one-based subscripts.
  void store(mlir::ValueRange subscripts, mlir::Value value);

  // After the kernel: all uses of the operation's result use this array.
  void replace();

private:
  void replaceOnDevice();
  void replaceOnHost();
  void release();

  fir::FirOpBuilder &builder;
  mlir::Operation *op;
  mlir::Location loc;
  bool onDevice;
  mlir::Value memory; // as the runtime gave it
  hlfir::DeclareOp declare;
};

} // namespace cufc
#endif // CUFC_LOWER_TEMPORARIES_H
