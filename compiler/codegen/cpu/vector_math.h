// Elementary functions for several lanes at once, from the runtime.
#ifndef CUFC_CODEGEN_CPU_VECTOR_MATH_H
#define CUFC_CODEGEN_CPU_VECTOR_MATH_H

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

namespace cufc {

inline constexpr const char *hostLibdevicePrefix = "cufrt_nv_"; // for __nv_

// Says of the C library's functions, and of those that take libdevice's place, what flang leaves
// unsaid: passes over loops of threads repeat only calls that return.
void completeMathFacts(llvm::Module &module);

// How many bits the widest vector function for this call takes at once; 0 if it has none.
unsigned vectorMathBits(const llvm::CallInst &call, const llvm::TargetMachine &target);

// Before loops are vectorised: says of calls which functions of runtime/math do the same for a
// vector. Results stay the same bit by bit. Functions for CPUs without fused operations are left.
void offerVectorMath(llvm::PassBuilder &builder, const llvm::TargetMachine &target);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_VECTOR_MATH_H
