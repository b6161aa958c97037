// One kernel as a host function that runs one of its threads.
#ifndef CUFC_CODEGEN_CPU_HOST_KERNEL_BODY_H
#define CUFC_CODEGEN_CPU_HOST_KERNEL_BODY_H

#include "llvm/IR/Function.h"
#include <cstdint>
#include <string>
#include <vector>

namespace cufc {

// A static shared variable, by its symbol in the device module, and its place in a block's shared
// memory.
struct SharedVariable {
  std::string symbol;
  uint64_t offset;
  uint64_t bytes;
};

// The attribute of functions whose first argument is the record of a block that no other block
// reads or writes the shared memory of.
inline constexpr const char *ownsSharedMemory = "cufc-owns-shared-memory";

struct HostKernelBody {
  llvm::Function *thread; // i32 (ptr block, ptr arguments, ptr frame, i32 x, i32 y, i32 z)
  uint64_t staticSharedBytes;
  std::string unsupported; // why it cannot run on the host; empty if it can
  bool usesOtherBlocks;    // reads or writes shared memory of its cluster's other blocks
  std::vector<SharedVariable> sharedVariables;
};

// Moves the body of `kernel` into a new function whose parameters are the block, the argument
// array, the frame and the thread's index; reads of special registers and shared variables are
// replaced. `kernel` is left without a body.
HostKernelBody makeThreadFunction(llvm::Function &kernel);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_HOST_KERNEL_BODY_H
