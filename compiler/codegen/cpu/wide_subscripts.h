// Subscripts in 64 bits, for loops on a CPU.
#ifndef CUFC_CODEGEN_CPU_WIDE_SUBSCRIPTS_H
#define CUFC_CODEGEN_CPU_WIDE_SUBSCRIPTS_H

namespace llvm {
class Function;
class Loop;
class ScalarEvolution;
} // namespace llvm

namespace cufc {

// Extends the operands of sums and products instead of their results.
void widenSubscripts(llvm::Function &function);
void widenSubscripts(llvm::Loop &loop); // those in it alone

// Of loops over threads, those that are nothing but subscripts of elements side by side.
void widenNeighbours(llvm::Function &function, llvm::ScalarEvolution &evolution);

// Has a loop that counts in 32 bits, and whose counter does not wrap, count in 64.
void widenCounter(llvm::Loop &loop);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_WIDE_SUBSCRIPTS_H
