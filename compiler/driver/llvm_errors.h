// Errors of LLVM and flang as diagnostics.
#ifndef CUFC_DRIVER_LLVM_ERRORS_H
#define CUFC_DRIVER_LLVM_ERRORS_H

#include "base/diagnostics.h"

namespace llvm {
class DiagnosticInfo;
class LLVMContext;
} // namespace llvm

namespace cufc {

// From now on a fatal error is reported before the process ends with status 1. `diagnostics` must
// live as long as the process.
void reportFatalErrors(Diagnostics &diagnostics);

// An error of a back end; what is none is not said.
void reportLlvmMessage(const llvm::DiagnosticInfo &info, Diagnostics &diagnostics);

// Errors of back ends that work in the context; `diagnostics` must outlive it.
void reportMessages(llvm::LLVMContext &context, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_DRIVER_LLVM_ERRORS_H
