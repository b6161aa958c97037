// Kernels that compute array expressions of host code, at HLFIR level: CUF kernel directives over
// the elements, which the outliner turns into kernels.
#ifndef CUFC_LOWER_DEVICE_COMPUTATION_H
#define CUFC_LOWER_DEVICE_COMPUTATION_H

#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "lower/reductions.h"

namespace cufc {

// A function of whole arrays, which a thread of a kernel would compute for its element alone.
bool isTransformational(mlir::Operation *op);

// Whether kernels can compute something of these arguments: at least one reads device memory, and
// none an array of the host or the result of a procedure.
bool computesOnDevice(mlir::ValueRange arguments);

// The kernels of one operation of the host; code is made before it.
class Computation {
public:
  // `stream` is the address of a handle, null for the default stream.
  explicit Computation(mlir::Operation *op, mlir::Value stream = {});

  // A scalar variable of the host that starts as `initial`.
  hlfir::DeclareOp variable(mlir::Value initial);

  // A directive over 1 to each of `extents`, the first of which runs fastest. `body` makes the code
  // for one element from its one-based subscripts. With an operation, `reduced` is reduced by it;
  // then there are two directives, of which the one for fewer elements counts with 32 bits.
  void overElements(llvm::ArrayRef<mlir::Value> extents, hlfir::DeclareOp reduced,
                    std::optional<ReductionOperation> operation,
                    llvm::function_ref<void(mlir::ValueRange)> body);

  // The value of one element of an argument, or of a scalar argument.
  mlir::Value element(mlir::Value array, mlir::ValueRange subscripts);

  hlfir::Entity dereferenced(mlir::Value array);
  llvm::SmallVector<mlir::Value> extents(mlir::Value array);
  mlir::Value asBit(mlir::Value logical);
  mlir::Value constant(mlir::Type type, int64_t value);

protected:
  mlir::Operation *op;
  mlir::Location loc;
  fir::FirOpBuilder builder;
  mlir::Value stream;

private:
  struct Directive {
    llvm::ArrayRef<mlir::Value> extents;
    hlfir::DeclareOp reduced;
    std::optional<ReductionOperation> operation;
    llvm::function_ref<void(mlir::ValueRange)> body;
  };
  void makeDirective(Directive made, bool narrow);
  mlir::Value areNarrow(llvm::ArrayRef<mlir::Value> extents);
  void inlineElementals(cuf::KernelOp directive);
};

// MATMUL, TRANSPOSE, RESHAPE, and elementals whose result goes to the device: one thread an element
// of the result. False if `op` is none of these or cannot be computed so.
bool computeElementwise(mlir::Operation *op);

} // namespace cufc
#endif // CUFC_LOWER_DEVICE_COMPUTATION_H
