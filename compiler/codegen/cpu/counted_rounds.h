// Loops of threads that meet in them, where each thread counts for itself.
#ifndef CUFC_CODEGEN_CPU_COUNTED_ROUNDS_H
#define CUFC_CODEGEN_CPU_COUNTED_ROUNDS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"

namespace cufc {

struct CountedRounds {
  llvm::Function *thread = nullptr; // whose loops end for all threads alike, or null
  llvm::Function *fits = nullptr;   // a cufrt_fits_block: whether it does what the kernel does
};

// A copy of `thread`, a function as makeThreadFunction gives it, for blocks whose threads all run
// the loops equally often in which they meet: those of a warp, or of the block if that meets there.
// `fits` gets the name.
CountedRounds assumeEqualCounts(llvm::Function &thread, llvm::StringRef name);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_COUNTED_ROUNDS_H
