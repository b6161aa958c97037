// Target machines. Device code fuses multiply and add across statements as nvcc does by default
// (CUDA C++ programming guide, floating-point section); host code does not.
#include "codegen/targets.h"
#include "codegen/pass_runner.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

namespace cufc {
namespace {

llvm::CodeGenOptLevel codegenLevel(int level) {
  return level == 0   ? llvm::CodeGenOptLevel::None
         : level == 1 ? llvm::CodeGenOptLevel::Less
         : level == 2 ? llvm::CodeGenOptLevel::Default
                      : llvm::CodeGenOptLevel::Aggressive;
}

std::unique_ptr<llvm::TargetMachine> make(const char *tripleText, const std::string &cpu,
                                          const std::string &features,
                                          const llvm::TargetOptions &options, int level) {
  llvm::Triple triple(tripleText);
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    llvm::report_fatal_error(llvm::Twine(error));
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, cpu, features, options, llvm::Reloc::PIC_, std::nullopt, codegenLevel(level)));
}

} // namespace

void initialiseTargets() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeX86AsmParser();
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
}

std::unique_ptr<llvm::TargetMachine> hostTarget(int level) {
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  options.UseInitArray = true;
  return make(hostTriple, "x86-64", "", options, level);
}

std::unique_ptr<llvm::TargetMachine> deviceTarget(const Gpu &gpu, int level) {
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Fast;
  return make(deviceTriple, "sm_" + std::to_string(gpu.number), "+ptx" + std::to_string(gpu.ptx),
              options, level);
}

void optimise(llvm::Module &module, llvm::TargetMachine &target, int level) {
  static constexpr const llvm::OptimizationLevel *levels[] = {
      &llvm::OptimizationLevel::O0, &llvm::OptimizationLevel::O1, &llvm::OptimizationLevel::O2,
      &llvm::OptimizationLevel::O3};
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = level > 1;
  tuning.LoopVectorization = tuning.SLPVectorization = level > 1;
  runPasses(module, &target, tuning, [&](llvm::PassBuilder &builder) {
    return level == 0 ? builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0)
                      : builder.buildPerModuleDefaultPipeline(*levels[level]);
  });
}

} // namespace cufc
