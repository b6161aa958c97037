// Loops whose iterations may be run in any order by the rules of the language.
#ifndef CUFC_CODEGEN_CPU_INDEPENDENT_ACCESSES_H
#define CUFC_CODEGEN_CPU_INDEPENDENT_ACCESSES_H

#include "llvm/Analysis/MemoryLocation.h"

namespace llvm {
class Instruction;
class Loop;
class PassBuilder;
} // namespace llvm

namespace cufc {

// Tells LLVM that no iteration of an innermost loop uses what another one writes, if all its
// accesses are to memory that threads share: only then does LLVM need no proof.
void markIndependentAccesses(llvm::Loop &loop);

// All that an access may reach by its address, in any round of the loops around it.
llvm::MemoryLocation objectOf(const llvm::Instruction &access);

// SimplifyCFG makes one store of `b = 0; if (...) b = 1`, without what is known of the two. Adds a
// pass before the vectorisers that says so again.
void keepAccessesIndependent(llvm::PassBuilder &builder);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_INDEPENDENT_ACCESSES_H
