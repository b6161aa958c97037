// Elementary functions for several lanes at once, from the runtime.
#ifndef CUFC_CODEGEN_VECTOR_MATH_H
#define CUFC_CODEGEN_VECTOR_MATH_H

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

namespace cufc {

// Before loops are vectorised: says of calls which functions of runtime/math do the same for a
// vector. Results stay the same bit by bit. Functions for CPUs without fused operations are left.
void offerVectorMath(llvm::PassBuilder &builder, const llvm::TargetMachine &target);

} // namespace cufc
#endif // CUFC_CODEGEN_VECTOR_MATH_H
