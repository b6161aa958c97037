// The size of a kernel's blocks as far as its launches or its own code betray it.
#ifndef CUFC_CODEGEN_LIKELY_BLOCKS_H
#define CUFC_CODEGEN_LIKELY_BLOCKS_H

#include "lower/device_facts.h"
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace cufc {

// Of a kernel, and of its function as makeThreadFunction gives it: what its file launches, or a
// guess. Other blocks must work, too.
std::vector<BlockSize> likelyBlocks(llvm::Function &thread, const KernelFacts &facts);

} // namespace cufc
#endif // CUFC_CODEGEN_LIKELY_BLOCKS_H
