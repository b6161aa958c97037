// Loops that LLVM's vectoriser would get wrong.
#ifndef CUFC_CODEGEN_CPU_NARROW_SUBSCRIPTS_H
#define CUFC_CODEGEN_CPU_NARROW_SUBSCRIPTS_H

namespace llvm {
class LoopInfo;
} // namespace llvm

namespace cufc {

// Forbids vectors in loops whose addresses depend on numbers of fewer than 32 bits.
void leaveNarrowSubscripts(const llvm::LoopInfo &loops);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_NARROW_SUBSCRIPTS_H
