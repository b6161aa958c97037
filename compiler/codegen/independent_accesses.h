// Loops whose iterations may be run in any order by the rules of the language.
#ifndef CUFC_CODEGEN_INDEPENDENT_ACCESSES_H
#define CUFC_CODEGEN_INDEPENDENT_ACCESSES_H

#include "llvm/Analysis/MemoryLocation.h"

namespace llvm {
class Instruction;
class Loop;
} // namespace llvm

namespace cufc {

// Tells LLVM that no iteration of an innermost loop uses what another one writes, if all its
// accesses are to memory that threads share: only then does LLVM need no proof.
void markIndependentAccesses(llvm::Loop &loop);

// All that an access may reach by its address, in any round of the loops around it.
llvm::MemoryLocation objectOf(const llvm::Instruction &access);

} // namespace cufc
#endif // CUFC_CODEGEN_INDEPENDENT_ACCESSES_H
