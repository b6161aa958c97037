// The device back end. The order matters: names are mapped before libdevice is linked, everything
// but kernels and module data becomes internal before the optimiser runs, and the reflection flag
// is set by then (NVPTX usage guide, "libdevice").
#include "codegen/gpu/device_code.h"
#include "base/diag.h"
#include "base/files.h"
#include "base/register_limits.h"
#include "base/workarounds.h"
#include "codegen/address_spaces.h"
#include "codegen/automatic_arrays.h"
#include "codegen/cache_hints.h"
#include "codegen/cpu/access_checks.h"
#include "codegen/cpu/cpu_forms.h"
#include "codegen/described_arrays.h"
#include "codegen/emit.h"
#include "codegen/gpu/argument_facts.h"
#include "codegen/gpu/complex_quotients.h"
#include "codegen/gpu/complex_sums.h"
#include "codegen/gpu/early_loads.h"
#include "codegen/gpu/element_addresses.h"
#include "codegen/gpu/grid_counts.h"
#include "codegen/gpu/guarded_divisions.h"
#include "codegen/gpu/integer_conversions.h"
#include "codegen/gpu/narrow_counts.h"
#include "codegen/gpu/narrow_stores.h"
#include "codegen/gpu/narrow_words.h"
#include "codegen/gpu/negated_extremes.h"
#include "codegen/gpu/neighbour_addresses.h"
#include "codegen/gpu/packed_kernels.h"
#include "codegen/gpu/shared_addresses.h"
#include "codegen/gpu/sines_cosines.h"
#include "codegen/gpu/spread_counters.h"
#include "codegen/group_operations.h"
#include "codegen/libdevice.h"
#include "codegen/matrix_operations.h"
#include "codegen/pipeline_copies.h"
#include "codegen/random_state.h"
#include "codegen/targets.h"
#include "codegen/variable_places.h"
#include "codegen/warp_intrinsics.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace cufc {
namespace {

using namespace llvm;

// PTX marks managed variables so that the driver maps them on both sides. NVPTX moves generic
// variables to the global space itself, but loses what metadata says of them.
void markManaged(Module &module, const DeviceFacts &facts) {
  LLVMContext &context = module.getContext();
  for (const DeviceVariableFacts &variable : facts.variables) {
    GlobalVariable *global = module.getGlobalVariable(variable.name);
    if (!global || variable.kind != DeviceVariableKind::Managed)
      continue;
    if (global->getAddressSpace() == genericSpace)
      global = moveToAddressSpace(*global, globalSpace);
    Metadata *parts[] = {ValueAsMetadata::get(global), MDString::get(context, "managed"),
                         ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), 1))};
    module.getOrInsertNamedMetadata("nvvm.annotations")->addOperand(MDNode::get(context, parts));
  }
}

// Instructions that say themselves that they may be fused would be.
void keepProducts(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (isa<FPMathOperator>(instruction))
        instruction.setHasAllowContract(false);
}

bool limitsRegisters(const DeviceCodeOptions &options) {
  return options.optimisation > 0 && !options.maxRegisters && !options.debug;
}

std::vector<std::string> ptxasCommand(const Gpu &gpu, const Toolkit &toolkit,
                                      const DeviceCodeOptions &options, const std::string &input,
                                      const std::string &output) {
  std::vector<std::string> command = {toolkit.program("ptxas"),
                                      "-O" + std::to_string(options.optimisation == 0 ? 0 : 3),
                                      "-arch=sm_" + std::to_string(gpu.number)};
  if (options.report || limitsRegisters(options))
    command.push_back("-v");
  if (options.debug)
    command.push_back("-g");
  else if (options.lineInfo)
    command.push_back("-lineinfo");
  if (options.relocatable)
    command.push_back("--compile-only");
  if (!options.fuse) // the PTX says so of each instruction; this is for those of nvcc's objects
    command.push_back("-fmad=false");
  if (options.maxRegisters)
    command.push_back("--maxrregcount=" + std::to_string(options.maxRegisters));
  command.insert(command.end(), {input, "-o", output});
  return command;
}

} // namespace

void placeImports(Module &module, const DeviceFacts &facts) {
  for (const DeviceImport &import : facts.imports)
    if (GlobalVariable *variable = module.getGlobalVariable(import.name);
        variable && import.isConstant && variable->getAddressSpace() == genericSpace)
      moveToAddressSpace(*variable, constantSpace);
}

void keepVisible(Module &module, const DeviceFacts &facts, bool withProcedures) {
  StringSet<> kept;
  for (const KernelFacts &kernel : facts.kernels)
    kept.insert(kernel.name);
  for (const DeviceVariableFacts &variable : facts.variables) {
    kept.insert(variable.name);
    // The host finds saved variables of procedures by name, too.
    if (GlobalVariable *global = module.getGlobalVariable(variable.name, true))
      global->setLinkage(GlobalValue::ExternalLinkage);
  }
  if (withProcedures)
    kept.insert_range(facts.procedures);
  internalizeModule(module,
                    [&](const GlobalValue &value) { return kept.contains(value.getName()); });
}

namespace {

// nvlink wants a definition of each variable that is declared; without optimisation flang's own
// ones of threadIdx and its like are left.
void dropUnusedDeclarations(Module &module) {
  for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
    variable.removeDeadConstantUsers();
    if (variable.isDeclaration() && variable.use_empty())
      variable.eraseFromParent();
  }
}

} // namespace

bool optimiseDeviceModule(Module &module, DeviceFacts &facts, const Gpu &gpu,
                          const std::optional<Toolkit> &toolkit, const DeviceCodeOptions &options,
                          Diagnostics &diagnostics) {
  std::unique_ptr<TargetMachine> target = deviceTarget(gpu, options.optimisation, options.fuse);
  dropChecks(module);
  dropCpuForms(module);
  addProductsInParts(module, options.fuse && options.optimisation > 0);
  if (!options.fuse)
    keepProducts(module);
  placeRandomStates(module, facts);
  defineCacheHints(module, /*forGpu=*/true);
  definePipelineCopies(module, /*forGpu=*/true);
  defineMatrixOperations(module, /*forGpu=*/true);
  defineGridBarrier(module);
  padSharedVariables(module);
  mapToLibdevice(module, options.fastMath);
  if (options.optimisation > 0) {
    divideByReciprocals(module);
    joinSinesAndCosines(module, *target);
  }
  for (Function &function : module)
    if (!function.isDeclaration())
      function.setConvergent();
  const Rounding rounding{!options.fastMath, options.fastMath || options.flushDenormals};
  if (!linkLibdevice(module, toolkit ? toolkit->libdevice() : "", rounding, diagnostics))
    return false;
  for (Function &function : module)
    if (!function.isDeclaration() && options.flushDenormals) // NVPTX then writes the .ftz forms
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
  keepVisible(module, facts, options.relocatable);
  markManaged(module, facts);
  applyArgumentFacts(module, *target, facts, options.optimisation > 0);
  if (options.debug)
    placeVariablesForGpu(module);
  if (options.optimisation > 0) {
    if (!options.relocatable) // what nvlink joins has no place for their facts
      addPackedKernels(module, facts);
    readDescriptorsOnce(module, facts);
    hideSpreadCounters(module);
  }
  markAutomaticArrays(module);
  optimise(module, *target, options.optimisation);
  completePackedKernels(module, facts);
  placeAutomaticArrays(module);
  dropUnusedDeclarations(module);
  if (options.optimisation > 0) {
    countWithoutDivision(module);
    countInWords(module);
    narrowWords(module);
    markReadOnlyArrays(module);
    if (!options.largeArrays)
      shareAddresses(module, *target);
    placeDescribedArrays(module, facts);
    if (!options.largeArrays) {
      chainNeighbours(module);
      joinElementAddresses(module);
    }
    loadEarly(module);
    divideUnderConditions(module);
  }
  return true;
}

namespace {

constexpr int firstGpuWithWarpReductions = 80, firstGpuWithPipelineCopies = 80;

constexpr unsigned fewCases = 16;

// A jump by a table takes as long as five comparisons, and threads that go different ways meet
// later.
void compareFewCases(Module &module) {
  for (Function &function : module)
    if (all_of(function, [](const BasicBlock &block) {
          auto *choice = dyn_cast_or_null<SwitchInst>(block.getTerminator());
          return !choice || choice->getNumCases() <= fewCases;
        }))
      function.addFnAttr("no-jump-tables", "true");
}

// Replaces what the GPU has no instruction for.
void fitToGpu(Module &module, const Gpu &gpu) {
  convertBySaturation(module);
  convertFromWords(module);
  if (gpu.number < firstGpuWithWarpReductions)
    expandWarpReductions(module);
  if (gpu.number < firstGpuWithPipelineCopies)
    expandPipelineCopies(module);
  if (gpu.number < firstGpuWithDoubleMatrices)
    trapAtDoubleMatrices(module);
  if (gpu.number >= firstGpuWithClusters)
    return;
  trapAtClusters(module);
  for (Function &function : module)
    function.removeFnAttr("nvvm.maxclusterrank");
}

bool isSum(const User &user) {
  auto *operation = dyn_cast<BinaryOperator>(&user);
  return operation && (operation->getOpcode() == Instruction::FAdd ||
                       operation->getOpcode() == Instruction::FSub);
}

// A product that not only sums use is computed in any case: to fuse it with the sums as well saves
// nothing, and keeps its factors in registers. LLVM would.
void keepNeededProducts(Module &module) {
  std::vector<Instruction *> products;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (instruction.getOpcode() == Instruction::FMul && !instruction.getType()->isVectorTy() &&
          any_of(instruction.users(), [](User *user) { return isSum(*user); }) &&
          any_of(instruction.users(), [](User *user) { return !isSum(*user); }))
        products.push_back(&instruction);
  for (Instruction *product : products) {
    IRBuilder<> builder(product->getNextNode());
    Value *kept = builder.CreateArithmeticFence(product, product->getType());
    product->replaceUsesWithIf(kept, [](Use &use) { return isSum(*use.getUser()); });
  }
}

// PTX before 8.1 has 4352 bytes for a kernel's parameters, later ones 32764.
constexpr uint64_t smallParameters = 4352;
constexpr int ptxWithLargeParameters = 81;

bool hasLargeParameters(const Module &module) {
  return any_of(module, [&](const Function &function) {
    uint64_t bytes = 0;
    for (const Argument &argument : function.args()) {
      Type *type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
      bytes = alignTo(bytes, 8) + module.getDataLayout().getTypeAllocSize(type);
    }
    return function.getCallingConv() == CallingConv::PTX_Kernel && bytes > smallParameters;
  });
}

// Before, sections of debug information cannot refer to labels in them.
constexpr int ptxWithDebugTables = 75;

bool hasDebugTables(const Module &module) {
  return any_of(module.debug_compile_units(), [](const DICompileUnit *unit) {
    return unit->getEmissionKind() == DICompileUnit::FullDebug;
  });
}

} // namespace

std::string emitPtx(const Module &module, const Gpu &gpu, int optimisation, bool fuse) {
  Gpu written = gpu;
  if (hasLargeParameters(module))
    written.ptx = std::max(written.ptx, ptxWithLargeParameters);
  if (hasDebugTables(module))
    written.ptx = std::max(written.ptx, ptxWithDebugTables);
  std::unique_ptr<TargetMachine> target = deviceTarget(written, optimisation, fuse);
  std::unique_ptr<Module> copy = CloneModule(module);
  // The tables of each file would be sections of the same names, which ptxas does not take.
  if (hasDebugTables(module) &&
      std::distance(module.debug_compile_units_begin(), module.debug_compile_units_end()) > 1)
    StripDebugInfo(*copy);
  fitToGpu(*copy, gpu);
  compareFewCases(*copy);
  if (fuse && optimisation > 0)
    keepNeededProducts(*copy);
  std::string ptx = repairNarrowStores(emitCode(*copy, *target, CodeForm::Assembly));
  return isMade(Workaround::NegatedExtremes) ? hideNegations(ptx) : ptx;
}

bool Assembler::writePtx(const Module &module, const Gpu &gpu, std::string &path) {
  path = folder + "/device_" + std::to_string(gpu.number) + ".ptx";
  if (!written.insert(gpu.number).second)
    return true; // and a ptxas may be reading it
  if (writeFile(path, emitPtx(module, gpu, options.optimisation, options.fuse)))
    return true;
  diagnostics.report(Diag::CannotWrite, {}, path, std::string(std::strerror(errno)));
  return false;
}

bool Assembler::start(const Module &module, const Gpu &gpu) {
  std::string ptx, cubin = folder + "/device_" + std::to_string(gpu.number) + ".cubin";
  if (!writePtx(module, gpu, ptx))
    return false;
  running.emplace_back([this, job = Job{gpu, ptx, cubin}] { return assemble(job); });
  all.push_back({gpu, true, cubin});
  return true;
}

bool Assembler::addPtx(const Module &module, const Gpu &gpu) {
  std::string ptx;
  if (!writePtx(module, gpu, ptx))
    return false;
  all.push_back({gpu, false, ptx});
  // The driver takes the highest PTX that its GPU knows.
  std::optional<Gpu> withClusters = findGpu(std::to_string(firstGpuWithClusters));
  if (gpu.number >= firstGpuWithClusters || !usesClusters(module) || !withClusters)
    return true;
  return addPtx(module, *withClusters);
}

ProcessResult Assembler::assemble(const Job &job) const {
  ProcessResult result = runProcess(ptxasCommand(job.gpu, toolkit, options, job.ptx, job.cubin));
  if (result.status == 0 && limitsRegisters(options))
    limitRegisters(job, result.output);
  return result;
}

// First the kernels that get a limit alone, then all of them with the limits that cost nothing.
void Assembler::limitRegisters(const Job &job, std::string &report) const {
  std::string text;
  if (!readFile(job.ptx, text) || !isShort(text))
    return;
  const std::string ptx = job.cubin + ".limited.ptx", cubin = job.cubin + ".limited";
  auto assemble = [&](const RegisterLimits &limits, bool alone) {
    std::vector<std::string> command = ptxasCommand(job.gpu, toolkit, options, ptx, cubin);
    for (const auto &[kernel, registers] : limits)
      if (alone)
        command.insert(command.end(), {"--entry", kernel});
    if (!writeFile(ptx, withLimits(text, limits)))
      return ProcessResult{.status = 1, .output = {}};
    return runProcess(command);
  };
  const std::vector<RegisterUse> use = registerUse(report);
  ProcessResult result;
  RegisterLimits made; // what the machine code is with, if it is that of all kernels
  const RegisterLimits kept = limitsToGive(use, text, [&](const RegisterLimits &tried) {
    const bool isWhole = tried.size() == use.size();
    result = assemble(tried, !isWhole);
    made = isWhole ? tried : RegisterLimits{};
    return result.status == 0 ? registerUse(result.output) : std::vector<RegisterUse>{};
  });
  if (kept.empty())
    return;
  if (kept != made)
    result = assemble(kept, false);
  std::error_code problem;
  if (result.status == 0)
    std::filesystem::rename(cubin, job.cubin, problem);
  if (result.status == 0 && !problem)
    report = result.output;
}

bool Assembler::finish() {
  bool good = true;
  for (BackgroundProcess &process : running) {
    ProcessResult result = process.finish();
    if (options.report)
      errs() << result.output;
    if (result.status != 0) {
      diagnostics.report(Diag::ToolFailed, {}, std::string("ptxas"), result.output);
      good = false;
    }
  }
  running.clear();
  return good;
}

bool packImages(const Toolkit &toolkit, const std::vector<DeviceImage> &images,
                const std::string &folder, bool relocatable, std::string &data,
                Diagnostics &diagnostics) {
  std::string output = folder + "/device.fatbin";
  std::vector<std::string> command = {toolkit.program("fatbinary"), "-64", "--create=" + output};
  if (relocatable)
    command.insert(command.end(), {"--cmdline=--compile-only  ", "--device-c"});
  for (const DeviceImage &image : images)
    command.push_back("--image3=kind=" + std::string(image.machineCode ? "elf" : "ptx") +
                      ",sm=" + std::to_string(image.gpu.number) + ",file=" + image.path);
  ProcessResult result = runProcess(command);
  if (result.status != 0 || !readFile(output, data)) {
    diagnostics.report(Diag::ToolFailed, {}, std::string("fatbinary"), result.output);
    return false;
  }
  return true;
}

} // namespace cufc
