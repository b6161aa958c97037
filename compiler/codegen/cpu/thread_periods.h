// Copies of a loop over threads that go over short periods, as loops of a known count.
#ifndef CUFC_CODEGEN_CPU_THREAD_PERIODS_H
#define CUFC_CODEGEN_CPU_THREAD_PERIODS_H

#include "codegen/cpu/thread_bounds.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class DominatorTree;
class LoopInfo;
} // namespace llvm

namespace cufc {

// Powers of two that are worth a copy: up to a vector of 32 bits in an AVX-512 register.
inline constexpr uint32_t shortPeriods[] = {1, 2, 4, 8, 16};

// What an index of 32 bits is for the first thread, which can be computed before the loop, if it
// goes up by one from thread to thread; else null.
const llvm::SCEV *firstIndex(llvm::Value &index, const llvm::Loop &threads,
                             llvm::ScalarEvolution &evolution, llvm::SCEVExpander &expander);

struct LoopCopy {
  PlainThreadLoop plain; // with the header of the copy where x is
  llvm::ValueToValueMapTy map;
};

// Copies a loop; `plain.preheader` comes right after `before`. Nothing leads to the copy yet.
void copyThreadLoop(llvm::Loop &loop, const PlainThreadLoop &plain, llvm::BasicBlock *before,
                    llvm::LoopInfo &loops, llvm::DominatorTree &dominators, LoopCopy &copy);

// Has a loop go from a multiple of `step` to another one by such steps, and in each over x from
// there in so many rounds. The phi of x counts the rounds then. Few rounds are to be unrolled, so
// that the loop around is the one that becomes vectors.
void goByPeriods(const PlainThreadLoop &plain, uint32_t rounds, uint32_t step);

// Whether a loop goes over short periods of threads that a value says, which changes in loops
// around: mod(x, m), or iand(x, m - 1), where m is a power of two, as in the steps of Fourier
// transforms and of bitonic sorts. Gives each of the smallest m a copy. Leaves no analysis valid if
// it returns true.
bool copyForShortPeriods(llvm::Loop &threads, llvm::LoopInfo &loops,
                         llvm::DominatorTree &dominators, llvm::ScalarEvolution &evolution);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_THREAD_PERIODS_H
