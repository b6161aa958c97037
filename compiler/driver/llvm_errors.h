// Errors of LLVM and flang as diagnostics.
#ifndef CUFC_DRIVER_LLVM_ERRORS_H
#define CUFC_DRIVER_LLVM_ERRORS_H

#include "base/diagnostics.h"
#include <string>

namespace llvm {
class DiagnosticInfo;
class LLVMContext;
class Module;
} // namespace llvm

namespace cufc {

// From now on a fatal error is reported before the process ends with status 1. `diagnostics` must
// live as long as the process.
void reportFatalErrors(Diagnostics &diagnostics);

// An error of a back end; what is none is not said.
void reportLlvmMessage(const llvm::DiagnosticInfo &info, Diagnostics &diagnostics);

// Errors of back ends that work in the context; `diagnostics` must outlive it.
void reportMessages(llvm::LLVMContext &context, Diagnostics &diagnostics);

// An invalid module is our mistake; better a message than a crash in a pass. `where` is for it.
bool isValid(const llvm::Module &module, const std::string &where, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_DRIVER_LLVM_ERRORS_H
