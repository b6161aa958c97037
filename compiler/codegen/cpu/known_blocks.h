// Code for blocks of the sizes that a kernel's blocks probably have.
#ifndef CUFC_CODEGEN_CPU_KNOWN_BLOCKS_H
#define CUFC_CODEGEN_CPU_KNOWN_BLOCKS_H

#include "lower/device_facts.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
} // namespace llvm

namespace cufc {

// On functions for blocks of one size, with the threads along x.
inline constexpr const char *knownBlockMark = "cufc-known-block";

// Of such a function, the threads along x.
std::optional<uint32_t> knownLineLength(const llvm::Function &function);

// Whether a function that runs a block is likely to be faster if it knows the block's size.
bool gainsFromSize(llvm::Function &block, const BlockSize &size);

// A copy of a function that runs a block, before its loops get their shape, for blocks of one size.
llvm::Function *forBlocksOf(const BlockSize &size, llvm::Function &block);

struct KnownBlock {
  BlockSize size;
  llvm::Function *function;
};

// A function that calls the one for a block's size, or else the other one.
llvm::Function *chooseBySize(llvm::ArrayRef<KnownBlock> known, llvm::Function &other);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_KNOWN_BLOCKS_H
