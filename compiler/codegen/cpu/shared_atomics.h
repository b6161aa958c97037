// Atomic operations on shared memory, on a CPU.
#ifndef CUFC_CODEGEN_CPU_SHARED_ATOMICS_H
#define CUFC_CODEGEN_CPU_SHARED_ATOMICS_H

namespace llvm {
class Module;
class Value;
} // namespace llvm

namespace cufc {

// Whether an address leads to the shared memory of the block that a function runs.
bool isInSharedMemory(const llvm::Value *address);

// In functions marked as `ownsSharedMemory` (host_kernel_body.h), atomic operations on the block's
// shared memory become plain ones. After shapeThreadLoops, which takes plain accesses of different
// threads for independent.
void unlockSharedMemory(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_SHARED_ATOMICS_H
