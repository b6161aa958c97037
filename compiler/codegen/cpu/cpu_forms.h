// The functions that take the place of CUF kernels on a CPU (lower/spread_loops.h).
#ifndef CUFC_CODEGEN_CPU_CPU_FORMS_H
#define CUFC_CODEGEN_CPU_CPU_FORMS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class DominatorTree;
class Function;
class Loop;
class LoopInfo;
class Module;
class ScalarEvolution;
} // namespace llvm

namespace cufc {

// The one of a kernel's symbol; null if there is none.
llvm::Function *cpuFormOf(llvm::Module &module, llvm::StringRef kernel);

// Whether it does what the kernel does, with one thread a block: procedures that it calls may ask
// for the thread's index, or synchronise. After they are inlined.
bool isWholeBlock(const llvm::Function &form);

// Marks its innermost loop over the grid, for shapeThreadLoops.
void markChunkLoop(llvm::Function &form);

// Tells LLVM of such a loop that its iterations are independent but for what they reduce, that sums
// may be split among the elements of vectors, and how subscripts go up. Whether the loop is one.
bool shapeChunkLoop(llvm::Loop &loop, llvm::LoopInfo &loops, llvm::DominatorTree &dominators,
                    llvm::ScalarEvolution &evolution);
bool isChunkLoop(const llvm::Loop &loop);

// Removes all of them from a module of GPU code.
void dropCpuForms(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_CPU_FORMS_H
