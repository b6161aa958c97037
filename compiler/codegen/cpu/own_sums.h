// Atomic updates of device memory, of which nobody sees the order, by a core for itself.
#ifndef CUFC_CODEGEN_CPU_OWN_SUMS_H
#define CUFC_CODEGEN_CPU_OWN_SUMS_H

#include "llvm/IR/Instructions.h"
#include <vector>

namespace cufc {

// Makes those whose element is the same for all threads of the block; returns the others. In a
// function that runs a block.
std::vector<llvm::AtomicRMWInst *> makeInRegisters(llvm::Function &block,
                                                   llvm::ArrayRef<llvm::AtomicRMWInst *> updates);

// Adds to a core's own copy where there is one; the updates stay for other elements.
void makeInOwnSums(llvm::Function &block, llvm::ArrayRef<llvm::AtomicRMWInst *> updates);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_OWN_SUMS_H
