// Host code of kernels for newer CPUs beside that for every x86-64. Not for other machines.
#ifndef CUFC_CODEGEN_CPU_HOST_VARIANTS_H
#define CUFC_CODEGEN_CPU_HOST_VARIANTS_H

#include "llvm/IR/Function.h"

namespace cufc {

// For LLVM not to load and store what lies apart by one instruction: in kernels, whose threads do
// so together, that was slower than one after the other on the CPUs that there are.
inline constexpr const char *withoutGathers = "+prefer-no-gather,+prefer-no-scatter";

// Products and sums stay apart, so that CPUs with fused instructions compute what others do.
void keepProductsApart(llvm::Module &module);

// Returns the function that takes the place of `block`: it runs a copy for x86-64-v3 or v4 where
// the CPU is one. After keepProductsApart.
llvm::Function *addVariants(llvm::Function &block);

// On other CPUs `other` runs, and `block` goes.
llvm::Function *variantsOrElse(llvm::Function &block, llvm::Function &other);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_HOST_VARIANTS_H
