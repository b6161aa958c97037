// Copies of a loop over threads, of which one is chosen when the loop starts.
#ifndef CUFC_CODEGEN_CPU_LOOP_VERSIONS_H
#define CUFC_CODEGEN_CPU_LOOP_VERSIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace llvm {
class BasicBlock;
class DominatorTree;
class LoadInst;
class Loop;
class LoopInfo;
class ScalarEvolution;
class SCEV;
class Value;
} // namespace llvm

namespace cufc {

inline constexpr const char *threadLoopMark = "cufc.thread_loop"; // on the branch that ends it

inline constexpr const char *lineLoopMark = "cufc.line_loop"; // of those over y and z

bool isThreadLoop(const llvm::Loop &loop); // by its mark
bool isLineLoop(const llvm::Loop &loop);
std::vector<llvm::Loop *> threadLoops(llvm::LoopInfo &loops);

size_t instructionsOf(const llvm::Loop &loop);

bool readsTable(const llvm::LoadInst &load); // of constants

// How far an address goes from a thread to the next; null if it does not, or nobody knows.
const llvm::SCEV *threadStep(llvm::Value &address, const llvm::Loop &threads,
                             llvm::ScalarEvolution &evolution);

// As a number of bytes, or elements, for all that its sums say: those of 32 bits may go round where
// they are extended, and limits, as of min(i + 1, n), hold for few threads.
std::optional<int64_t> threadDistance(const llvm::SCEV &value, const llvm::Loop &threads,
                                      llvm::ScalarEvolution &evolution);

// Copies a loop, with the block before it, which nothing leads to yet. `preheader` comes right
// after `before`.
llvm::Loop *copyBeside(llvm::Loop &loop, llvm::BasicBlock *preheader, llvm::BasicBlock *before,
                       llvm::StringRef suffix, llvm::ValueToValueMapTy &map, llvm::LoopInfo &loops,
                       llvm::DominatorTree &dominators);

// Copies a loop for a rare case, which is not worth vectors. `preheader` comes right after
// `before`. Returns the preheader of the copy, which nothing leads to yet; `map` gets what the copy
// has for what is in the loop.
llvm::BasicBlock *copyAsWritten(llvm::Loop &loop, llvm::BasicBlock *preheader,
                                llvm::BasicBlock *before, llvm::LoopInfo &loops,
                                llvm::DominatorTree &dominators,
                                llvm::ValueToValueMapTy *map = nullptr);

// An array behind a descriptor is contiguous far more often than not, and only then does LLVM load
// several elements at once: the loop is copied for those that are not. Returns whether it was.
bool versionForContiguousArrays(llvm::Loop &loop, llvm::LoopInfo &loops,
                                llvm::DominatorTree &dominators, llvm::ScalarEvolution &evolution);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_LOOP_VERSIONS_H
