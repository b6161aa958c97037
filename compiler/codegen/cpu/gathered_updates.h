// Atomic updates of device memory that nobody reads before the kernel ends, on a CPU; and which
// kernels' blocks exchange data otherwise.
#ifndef CUFC_CODEGEN_CPU_GATHERED_UPDATES_H
#define CUFC_CODEGEN_CPU_GATHERED_UPDATES_H

#include "lower/device_facts.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace cufc {

// Marks those of a kernel, before it becomes a function of a thread.
void markGatheredUpdates(llvm::Function &kernel, const KernelFacts &facts);

// Whether no block can learn from another one what it has done, and hence wait for it. Of a kernel
// as above.
bool blocksAreIndependent(const llvm::Function &kernel);

// In functions that run a block (`blockFunctionMark`), marked updates go to the block's
// `cufrt_updates` (cufrt/abi.h). After shapeThreadLoops; elsewhere they stay what they are.
void gatherUpdates(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_GATHERED_UPDATES_H
