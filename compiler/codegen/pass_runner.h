// Runs LLVM passes over a module with everything that they ask for set up.
#ifndef CUFC_CODEGEN_PASS_RUNNER_H
#define CUFC_CODEGEN_PASS_RUNNER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Passes/PassBuilder.h"

namespace cufc {

// `make` fills the pipeline; `target` may be null.
void runPasses(llvm::Module &module, llvm::TargetMachine *target,
               const llvm::PipelineTuningOptions &tuning,
               llvm::function_ref<llvm::ModulePassManager(llvm::PassBuilder &)> make);

} // namespace cufc
#endif // CUFC_CODEGEN_PASS_RUNNER_H
