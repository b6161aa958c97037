// Target machines. Device code fuses multiply and add across statements as nvcc does by default
// (CUDA C++ programming guide, floating-point section); host code does not.
#include "codegen/targets.h"
#include "base/host_machine.h"
#include "codegen/cpu/conditional_sums.h"
#include "codegen/cpu/idle_lanes.h"
#include "codegen/cpu/independent_accesses.h"
#include "codegen/cpu/loads_of_rounds.h"
#include "codegen/cpu/vector_conversions.h"
#include "codegen/cpu/vector_math.h"
#include "codegen/cpu/whole_stores.h"
#include "codegen/gpu/batched_loops.h"
#include "codegen/gpu/chosen_elements.h"
#include "codegen/gpu/truncated_counters.h"
#include "codegen/gpu/wrapped_numbers.h"
#include "codegen/local_arrays.h"
#include "codegen/pass_runner.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/AArch64TargetParser.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"

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
                                          const llvm::TargetOptions &options, int level,
                                          std::optional<llvm::CodeModel::Model> model = {}) {
  llvm::Triple triple(tripleText);
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    llvm::report_fatal_error(llvm::Twine(error));
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, cpu, features, options, llvm::Reloc::PIC_, model, codegenLevel(level)));
}

// Data of at most so many bytes stay near the code in the medium model, as with GCC
// (-mlarge-data-threshold).
constexpr uint64_t largeData = 65536;

std::optional<llvm::CodeModel::Model> codeModel(const std::string &name,
                                                const HostMachine &machine) {
  if (!machine.isX86()) // the small model of aarch64 reaches 4 GB, and shared code has no other
    return std::nullopt;
  if (name == "medium")
    return llvm::CodeModel::Medium;
  if (name == "large")
    return llvm::CodeModel::Large;
  return std::nullopt;
}

// What "armv8.2-a+sve" asks for, as LLVM's features; nothing if it is no such name.
std::optional<std::vector<std::string>> armFeatures(const std::string &name,
                                                    const HostMachine &machine) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::StringRef(name).split(words, '+');
  const llvm::AArch64::ArchInfo *architecture = llvm::AArch64::parseArch(words.front());
  if (machine.isX86() || !architecture)
    return std::nullopt;
  llvm::AArch64::ExtensionSet extensions;
  extensions.addArchDefaults(*architecture);
  for (llvm::StringRef word : llvm::drop_begin(words))
    if (!extensions.parseModifier(word))
      return std::nullopt;
  std::vector<std::string> features;
  extensions.toLLVMFeatureList(features);
  return features;
}

std::string featuresOf(const HostCodeOptions &options) {
  std::string list;
  auto add = [&](const std::string &feature) { list += (list.empty() ? "" : ",") + feature; };
  for (const std::string &feature :
       armFeatures(options.cpu, *options.machine).value_or(std::vector<std::string>()))
    add(feature);
  if (options.cpu == "native")
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      add((feature.second ? "+" : "-") + feature.first().str());
  for (const std::string &feature : options.features)
    add(feature);
  return list;
}

} // namespace

void initialiseTargets() {
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64Target();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmPrinter();
  LLVMInitializeAArch64AsmParser();
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

bool isProcessor(const std::string &name, const HostMachine &machine) {
  std::string error;
  const llvm::Triple triple(machine.triple);
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target || name.empty() || armFeatures(name, machine))
    return target;
  if (name == "native")
    return &machine == &thisMachine;
  std::unique_ptr<llvm::MCSubtargetInfo> information(target->createMCSubtargetInfo(triple, "", ""));
  return information->isCPUStringValid(name);
}

std::string processorName(const std::string &name, const HostMachine &machine) {
  if (name.empty() || armFeatures(name, machine))
    return machine.baseline;
  return name == "native" ? llvm::sys::getHostCPUName().str() : name;
}

std::unique_ptr<llvm::TargetMachine> hostTarget(int level, const HostCodeOptions &host) {
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  options.UseInitArray = true;
  std::unique_ptr<llvm::TargetMachine> target =
      make(host.machine->triple, processorName(host.cpu, *host.machine), featuresOf(host), options,
           level, codeModel(host.codeModel, *host.machine));
  target->setLargeDataThreshold(largeData);
  return target;
}

std::unique_ptr<llvm::TargetMachine> deviceTarget(const Gpu &gpu, int level, bool fuse) {
  llvm::TargetOptions options;
  options.AllowFPOpFusion = fuse ? llvm::FPOpFusion::Fast : llvm::FPOpFusion::Strict;
  return make(deviceTriple, "sm_" + std::to_string(gpu.number), "+ptx" + std::to_string(gpu.ptx),
              options, level);
}

namespace {

// LLVM 23 tries vectors of as many elements as there are alike, 32 for the threads of
// codegen/cpu/thread_jam.cpp, and has no other try if those do not pay. Two registers of the
// largest have 16 elements of 8 bytes.
void limitGatheredVectors() {
#if LLVM_VERSION_MAJOR >= 23
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find("slp-max-vf");
  if (found != options.end() && found->second->getNumOccurrences() == 0)
    static_cast<llvm::cl::opt<unsigned> *>(found->second)->setValue(16);
#endif
}

} // namespace

void optimise(llvm::Module &module, llvm::TargetMachine &target, int level,
              const HostCodeOptions &options) {
  const llvm::OptimizationLevel levels[] = {
      llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1, llvm::OptimizationLevel::O2,
      llvm::OptimizationLevel::O3};
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = level > 1 && options.unroll;
  tuning.LoopInterleaving = tuning.LoopUnrolling;
  tuning.LoopVectorization = tuning.SLPVectorization = level > 1 && options.vectorise;
  const bool forGpu = target.getTargetTriple().isNVPTX();
  if (!forGpu)
    limitGatheredVectors();
  if (forGpu && level == 2) // as nvcc's default
    level = 3;
  runPasses(module, &target, tuning, [&](llvm::PassBuilder &builder) {
    if (forGpu) {
      widenTruncatedCounters(builder);
      wrapNumbers(builder);
    }
    unrollForRegisters(builder, forGpu);
    if (forGpu) {
      chooseElements(builder);
      unrollInBatches(builder);
    } else {
      offerVectorMath(builder, target);
      addUnconditionally(builder);
      keepAccessesIndependent(builder);
      fillLastVectors(builder);
      loadInEachRound(builder);
    }
    llvm::ModulePassManager passes =
        level == 0 ? builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0)
                   : builder.buildPerModuleDefaultPipeline(levels[level]);
    if (options.findRaces) {
      passes.addPass(llvm::ModuleThreadSanitizerPass());
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::ThreadSanitizerPass()));
    }
    return passes;
  });
  if (level > 0 && !forGpu) {
    convertWholeVectors(module, target);
    keepStoresWhole(module, target);
  }
}

} // namespace cufc
