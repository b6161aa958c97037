// Lines of a block of known size whose threads all run.
#ifndef CUFC_CODEGEN_CPU_FULL_LINES_H
#define CUFC_CODEGEN_CPU_FULL_LINES_H

#include <cstdint>

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
} // namespace llvm

namespace cufc {

// Lines whose start and end take little of the time.
inline constexpr uint32_t longLine = 64;

// Says that a loop is over a line of so many threads, or over a part of one.
void markLineLength(llvm::Loop &threads, uint32_t length);

// Says that a loop is over parts of lines, and there is another one for lines as a whole.
inline void markPartOfLine(llvm::Loop &threads) { markLineLength(threads, longLine); }

// Copies a loop over threads for lines that are full, in a function for blocks of one size. Leaves
// no analysis valid if it returns true.
bool divideFullLines(llvm::Loop &threads, llvm::LoopInfo &loops, llvm::DominatorTree &dominators);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_FULL_LINES_H
