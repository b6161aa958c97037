// A repair of PTX for ptxas.
#ifndef CUFC_CODEGEN_GPU_NEGATED_EXTREMES_H
#define CUFC_CODEGEN_GPU_NEGATED_EXTREMES_H

#include <string>

namespace cufc {

// min(a, -b, c) of integers is one instruction from cc90 on, which has no sign of b: ptxas of CUDA
// 13.0 loses it. It leaves a negation alone that it does not recognise, the complement plus one.
// Gives the PTX with that for negations of which extremes or choices may be made. LLVM makes some
// of products, such as -4*b.
std::string hideNegations(const std::string &ptx);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_NEGATED_EXTREMES_H
