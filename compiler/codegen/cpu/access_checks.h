// Host code of kernels that tells the runtime what its threads do, for -gpu=check.
#ifndef CUFC_CODEGEN_CPU_ACCESS_CHECKS_H
#define CUFC_CODEGEN_CPU_ACCESS_CHECKS_H

#include "codegen/cpu/host_kernel_body.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace cufc {

// A device module whose kernels are checked on the host device carries a mark, which survives when
// modules are linked.
void markChecked(llvm::Module &module);
bool isChecked(const llvm::Module &module);

// Leaves the checks of bounds out of code for GPUs.
void dropChecks(llvm::Module &module);

// Calls cufrt_check_access before each access that may be one to shared or device memory, and
// cufrt_check_sync before operations at which threads meet. Shared variables must still be
// variables.
void checkAccesses(llvm::Module &module);

// Calls cufrt_check_thread at the start of a function that runs, or resumes, one thread. Messages
// name the shared variables.
void announceThread(llvm::Function &thread, llvm::ArrayRef<SharedVariable> variables);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_ACCESS_CHECKS_H
