// Shared memory of a kernel on a CPU is apart from all other memory, for LLVM's alias analysis.
#ifndef CUFC_CODEGEN_CPU_SHARED_SCOPES_H
#define CUFC_CODEGEN_CPU_SHARED_SCOPES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"

namespace llvm {
class Function;
class Value;
} // namespace llvm

namespace cufc {

// `places` has the address of each shared variable, a group for those that may overlap; `outside`
// the values of arguments, whose memory no kernel can have within shared memory.
void separateSharedMemory(llvm::Function &thread,
                          llvm::ArrayRef<llvm::DenseSet<const llvm::Value *>> places,
                          const llvm::DenseSet<const llvm::Value *> &outside);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_SHARED_SCOPES_H
