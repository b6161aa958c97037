// LLVM's GVN has a(x + 1) of one round stand for a(x) of the next. That saves a scalar loop a load,
// but vectors of threads would have to be put together from two, and some are not made at all.
#include "codegen/cpu/loads_of_rounds.h"
#include "codegen/cpu/host_kernels.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/GVN.h"

namespace cufc {
namespace {

using namespace llvm;

bool isOfThreads(const Function &function) { return function.hasFnAttribute(blockFunctionMark); }

// In place of GVNPass, which is left out for these functions.
struct GvnOfThreads : PassInfoMixin<GvnOfThreads> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (!isOfThreads(function))
      return PreservedAnalyses::all();
    return GVNPass(GVNOptions().setLoadInLoopPRE(false)).run(function, analyses);
  }
};

} // namespace

void loadInEachRound(PassBuilder &builder) {
  PassInstrumentationCallbacks *callbacks = builder.getPassInstrumentationCallbacks();
  callbacks->registerShouldRunOptionalPassCallback([](StringRef pass, Any part) {
    const auto *function = any_cast<const Function *>(&part);
    return pass != "GVNPass" || !function || !isOfThreads(**function);
  });
  builder.registerScalarOptimizerLateEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel level) {
        if (level.getSpeedupLevel() > 1)
          passes.addPass(GvnOfThreads());
      });
}

} // namespace cufc
