// The analysis managers of LLVM's pass manager must know each other before a pass runs.
#include "codegen/pass_runner.h"

namespace cufc {

void runPasses(llvm::Module &module, llvm::TargetMachine *target,
               const llvm::PipelineTuningOptions &tuning,
               llvm::function_ref<llvm::ModulePassManager(llvm::PassBuilder &)> make) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(target, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  make(builder).run(module, modules);
}

} // namespace cufc
