// Loops whose iterations may be run in any order by the rules of the language.
#ifndef CUFC_CODEGEN_INDEPENDENT_ACCESSES_H
#define CUFC_CODEGEN_INDEPENDENT_ACCESSES_H

namespace llvm {
class Loop;
} // namespace llvm

namespace cufc {

// Tells LLVM that no iteration of an innermost loop uses what another one writes, if all its
// accesses are to memory that threads share: only then does LLVM need no proof.
void markIndependentAccesses(llvm::Loop &loop);

} // namespace cufc
#endif // CUFC_CODEGEN_INDEPENDENT_ACCESSES_H
