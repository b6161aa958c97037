// Stores of shared memory under a condition that nobody can foresee.
#ifndef CUFC_CODEGEN_CPU_EXCHANGED_VALUES_H
#define CUFC_CODEGEN_CPU_EXCHANGED_VALUES_H

namespace llvm {
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace cufc {

// Has the body of a loop over threads store in any case what it stores under a condition on values
// that it has loaded from the same places: the old ones where the condition does not hold. For
// shared memory that no other block accesses (host_kernel_body.h).
bool storeExchanged(llvm::Loop &threads, llvm::ScalarEvolution &evolution);

// The same for threads each of which alone accesses its places (thread_partners.cpp): vectors of
// them do so as well.
void storeExchangedPairs(llvm::Loop &threads);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_EXCHANGED_VALUES_H
