// The streams that reductions of host code name, at HLFIR level.
#ifndef CUFC_LOWER_STREAM_ARGUMENTS_H
#define CUFC_LOWER_STREAM_ARGUMENTS_H

#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/FIROps.h"

namespace cufc {

// The call of cufrt_on_stream in a mask, where frontend/lenient/stream_arguments.cpp has put the
// argument STREAM of a reduction: it waits for the stream. Null if there is none.
fir::CallOp streamCallIn(mlir::Value mask);

// Whether a mask is nothing else but that call.
bool isOnlyStreamCall(mlir::Value mask);

// The address of the stream's handle, in the form that kernel launches take. Code is made before
// the place of `builder`.
mlir::Value streamOf(fir::FirOpBuilder &builder, fir::CallOp call);

// The kernels run in the stream, so nobody has to wait for it before: the call counts as true.
void removeStreamCall(fir::CallOp call);

} // namespace cufc
#endif // CUFC_LOWER_STREAM_ARGUMENTS_H
