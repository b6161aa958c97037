// The analysis managers of LLVM's pass manager must know each other before a pass runs. The
// instruments are those that options of LLVM turn on (-print-changed, -print-after=NAME).
#include "codegen/pass_runner.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/StandardInstrumentations.h"

namespace cufc {

void runPasses(llvm::Module &module, llvm::TargetMachine *target,
               const llvm::PipelineTuningOptions &tuning,
               llvm::function_ref<llvm::ModulePassManager(llvm::PassBuilder &)> make) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::StandardInstrumentations instruments(module.getContext(), /*DebugLogging=*/false);
  instruments.registerCallbacks(callbacks, &modules);
  llvm::PassBuilder builder(target, tuning, std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  make(builder).run(module, modules);
}

} // namespace cufc
