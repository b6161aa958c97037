// LLVM's remarks name a pass, a function and a place. Those of kernels are left out: their code for
// the CPU is of no interest where -Minfo=accel speaks of the GPU's.
#include "driver/loop_report.h"
#include "base/command_line_diag.h"
#include "codegen/host_kernels.h"
#include "driver/llvm_errors.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Casting.h"
#include "llvm/TargetParser/Triple.h"
#include <set>
#include <tuple>

namespace cufc {
namespace {

bool isOfInterest(llvm::StringRef pass) {
  return pass == "loop-vectorize" || pass == "loop-unroll" || pass == "inline" ||
         pass == "slp-vectorizer" || pass == "loop-idiom";
}

class Handler : public llvm::DiagnosticHandler {
public:
  Handler(LoopReport wanted, Diagnostics &diagnostics) : wanted(wanted), diagnostics(diagnostics) {}

  bool isPassedOptRemarkEnabled(llvm::StringRef pass) const override {
    return wanted.done && isOfInterest(pass);
  }
  bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override {
    return wanted.missed && isOfInterest(pass);
  }
  bool isAnalysisRemarkEnabled(llvm::StringRef pass) const override {
    return wanted.missed && pass == "loop-vectorize";
  }
  bool isAnyRemarkEnabled() const override { return true; }

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (auto *remark = llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info))
      show(*remark);
    else
      reportLlvmMessage(info, diagnostics);
    return true;
  }

private:
  void show(const llvm::DiagnosticInfoOptimizationBase &remark) {
    llvm::StringRef function = remark.getFunction().getName();
    bool kernel = remark.getFunction().getParent()->getTargetTriple().isNVPTX() ||
                  function.contains(hostDeviceSuffix);
    if (kernel || !remark.isLocationAvailable() || !remark.isEnabled())
      return;
    llvm::DiagnosticLocation place = remark.getLocation();
    auto line = static_cast<int>(place.getLine()), column = static_cast<int>(place.getColumn());
    std::string file = place.getAbsolutePath();
    if (llvm::StringRef relative = place.getRelativePath(); !relative.empty())
      file = relative.str();
    if (line > 0 && said.insert({file, line, remark.getMsg()}).second)
      diagnostics.report(CommandLineDiag::HostLoop,
                         SourceRange{file, line, column, line, column + 1}, remark.getMsg());
  }

  const LoopReport wanted;
  Diagnostics &diagnostics;
  std::set<std::tuple<std::string, int, std::string>> said; // loops are copied by other passes
};

} // namespace

void reportLoops(llvm::LLVMContext &context, LoopReport wanted, Diagnostics &diagnostics) {
  context.setDiagnosticHandler(std::make_unique<Handler>(wanted, diagnostics));
}

} // namespace cufc
