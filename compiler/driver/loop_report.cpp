// LLVM's remarks name a pass, a function and a place. Of kernels, only loops over the threads of a
// block are told of, and whether they are in vectors: these loops are no lines of the source. Where
// there is code for several processors, it is that for the newest.
#include "driver/loop_report.h"
#include "base/command_line_diag.h"
#include "codegen/cpu/loop_versions.h"
#include "driver/llvm_errors.h"
#include "lower/display_name.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Casting.h"
#include "llvm/TargetParser/Triple.h"
#include <fmt/format.h>
#include <regex>
#include <set>
#include <tuple>

namespace cufc {
namespace {

bool isOfInterest(llvm::StringRef pass) {
  return pass == "loop-vectorize" || pass == "loop-unroll" || pass == "inline" ||
         pass == "slp-vectorizer" || pass == "loop-idiom" || pass == "loop-unroll-and-jam";
}

constexpr const char *jammedLoop = "unroll and jammed loop by a factor of ";

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
    return pass == "loop-vectorize";
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
    const llvm::Function &function = remark.getFunction();
    if (!remark.isEnabled() || function.getParent()->getTargetTriple().isNVPTX())
      return;
    if (function.hasFnAttribute(blockFunctionMark)) {
      showThreadLoop(remark);
      return;
    }
    if (function.getName().contains(hostDeviceSuffix))
      return;
    bool isAnalysis = llvm::isa<llvm::OptimizationRemarkAnalysis>(remark);
    const std::string text = remark.getMsg();
    if (remark.isLocationAvailable() && (wanted.missed || !isAnalysis) && !isOfForms(text))
      say(remark.getLocation(), withDisplayNames(text), text);
  }

  // About what a kernel becomes for CPUs, step by step: reportKernels says what came of it.
  static bool isOfForms(llvm::StringRef text) {
    return text.contains(hostDeviceSuffix) || text.contains(".block");
  }

  // solver::step in place of _QMsolverPstep.
  static std::string withDisplayNames(const std::string &text) {
    static const std::regex symbol("'(_Q\\w+)'");
    const std::string shown = text.substr(0, text.find(" with (cost="));
    std::string result;
    auto end = shown.cbegin();
    for (std::sregex_iterator found(shown.begin(), shown.end(), symbol), none; found != none;
         ++found) {
      result.append(end, shown.cbegin() + found->position());
      result += "'" + displayName(found->str(1)) + "'";
      end = shown.cbegin() + found->position() + found->length();
    }
    return result.append(end, shown.cend());
  }

  void showThreadLoop(const llvm::DiagnosticInfoOptimizationBase &remark) {
    auto *inCode = llvm::dyn_cast<llvm::DiagnosticInfoIROptimization>(&remark);
    auto *header =
        inCode ? llvm::dyn_cast_if_present<llvm::BasicBlock>(inCode->getCodeRegion()) : nullptr;
    std::string text = remark.getMsg();
    bool isTold = text.starts_with("vectorized loop") || text.starts_with("loop not vectorized:") ||
                  text.starts_with("the cost-model indicates that vectorization");
    if (llvm::StringRef jammed = text;
        header && jammed.consume_front(jammedLoop) && isForNewest(remark.getFunction()))
      say(placeOf(*header),
          "loop over the threads of a block: " + jammed.split(' ').first.str() +
              " of them at a time run the loop that each has, in vectors where they can",
          jammedLoop);
    const bool isVector = text.starts_with("vectorized loop"); // and so are what remains of it
    if (header && isTold && isThreadLoop(*header) && isForNewest(remark.getFunction()))
      say(placeOf(*header), "loop over the threads of a block: " + text,
          isVector ? "vectorized loop" : text);
  }

  static bool isForNewest(const llvm::Function &function) {
    llvm::StringRef name = function.getName();
    for (const char *older : {".v1", ".v3"})
      if (llvm::StringRef base = name; base.consume_back(older))
        for (const char *newer : {".v4", ".v3"})
          if (llvm::StringRef(older) < newer &&
              function.getParent()->getFunction((base + newer).str()))
            return false;
    return true;
  }

  static bool isThreadLoop(const llvm::BasicBlock &header) {
    return llvm::any_of(llvm::predecessors(&header), [](const llvm::BasicBlock *block) {
      return block->getTerminator()->hasMetadata(threadLoopMark);
    });
  }

  // The first line of what the threads do, since the loop has none. What is behind the kernel's
  // first line is a statement.
  static llvm::DiagnosticLocation placeOf(const llvm::BasicBlock &header) {
    llvm::SetVector<const llvm::BasicBlock *> blocks;
    blocks.insert(&header);
    for (size_t i = 0; i < blocks.size(); ++i) {
      for (const llvm::Instruction &instruction : *blocks[i])
        if (const llvm::DILocation *place = instruction.getDebugLoc();
            place && place->getLine() > place->getScope()->getSubprogram()->getLine())
          return instruction.getDebugLoc();
      if (!blocks[i]->getTerminator()->hasMetadata(threadLoopMark))
        blocks.insert(llvm::succ_begin(blocks[i]), llvm::succ_end(blocks[i]));
    }
    return llvm::DiagnosticLocation(header.getParent()->getSubprogram());
  }

  // Once for a line and a key.
  void say(const llvm::DiagnosticLocation &place, const std::string &text, const std::string &key) {
    if (!place.isValid())
      return;
    auto line = static_cast<int>(place.getLine()), column = static_cast<int>(place.getColumn());
    std::string file = place.getAbsolutePath();
    if (llvm::StringRef relative = place.getRelativePath(); !relative.empty())
      file = relative.str();
    if (line > 0 && said.insert({file, line, key}).second)
      diagnostics.report(CommandLineDiag::HostLoop,
                         SourceRange{file, line, column, line, column + 1}, text);
  }

  const LoopReport wanted;
  Diagnostics &diagnostics;
  std::set<std::tuple<std::string, int, std::string>> said; // loops are copied by other passes
};

} // namespace

void reportLoops(llvm::LLVMContext &context, LoopReport wanted, Diagnostics &diagnostics) {
  context.setDiagnosticHandler(std::make_unique<Handler>(wanted, diagnostics));
}

void reportKernels(const HostKernels &kernels, const DeviceFacts &facts, const std::string &source,
                   Diagnostics &diagnostics) {
  for (const KernelFacts &fact : facts.kernels) {
    auto kernel = kernels.find(fact.name);
    if (kernel == kernels.end() || kernel->second.line == 0)
      continue;
    int line = kernel->second.line;
    unsigned loops = kernel->second.threadLoops;
    std::string text = loops == 1 ? "a loop over the threads of a block"
                       : kernel->second.wholeWarps
                           ? fmt::format("{} loops over the warps of a block and the lanes of a "
                                         "warp, between what they synchronise, if blockDim%x is a "
                                         "multiple of 32",
                                         loops)
                       : loops > 1 ? fmt::format("{} loops over the threads of a block, between "
                                                 "barriers",
                                                 loops)
                                   : "each thread by itself, from one synchronising operation to "
                                     "the next";
    if (!kernel->second.fitsBlock.empty())
      text += ", for blocks whose threads run the loops equally often in which they meet";
    else if (kernel->second.runBlock.empty() && kernel->second.partingLine)
      text += fmt::format(", since threads that meet later may go different ways at line {}",
                          kernel->second.partingLine);
    diagnostics.report(CommandLineDiag::KernelOnCpu, SourceRange{source, line, 1, line, 2},
                       fact.display, text);
  }
}

} // namespace cufc
