// The handlers of LLVM, installed once a process that compiles or links device code.
#include "driver/llvm_errors.h"
#include "base/diag.h"
#include "base/flang_phrases.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

namespace cufc {
namespace {

// LLVM and flang report fatal errors through this handler; an error that was reported before it
// (flang's gaps are) says enough.
void onFatalError(void *data, const char *reason, bool) {
  auto *diagnostics = static_cast<Diagnostics *>(data);
  if (isPhrase(reason, Phrase::NotImplemented))
    diagnostics->report(Diag::NotImplemented, {}, inPhrase(reason, Phrase::NotImplemented, 1));
  else if (!diagnostics->hasErrors())
    diagnostics->report(Diag::LoweringFailed, {}, std::string("in LLVM"), std::string(reason));
  diagnostics->flush();
  _exit(1);
}

void onLlvmMessage(const llvm::DiagnosticInfo *info, void *data) {
  reportLlvmMessage(*info, *static_cast<Diagnostics *>(data));
}

} // namespace

void reportFatalErrors(Diagnostics &diagnostics) {
  llvm::install_fatal_error_handler(onFatalError, &diagnostics);
}

void reportLlvmMessage(const llvm::DiagnosticInfo &info, Diagnostics &diagnostics) {
  if (info.getSeverity() != llvm::DS_Error)
    return;
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::DiagnosticPrinterRawOStream printer(stream);
  info.print(printer);
  diagnostics.report(Diag::LoweringFailed, {}, std::string("in the back end"), text);
}

void reportMessages(llvm::LLVMContext &context, Diagnostics &diagnostics) {
  context.setDiagnosticHandlerCallBack(onLlvmMessage, &diagnostics);
}

bool isValid(const llvm::Module &module, const std::string &where, Diagnostics &diagnostics) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!llvm::verifyModule(module, &stream))
    return true;
  diagnostics.report(Diag::LoweringFailed, {}, where, text.substr(0, 1000));
  return false;
}

} // namespace cufc
