// The host device's code generator, on LLVM IR before optimisation:
//
//   - retarget the module, rename definitions, put all memory into one address space;
//   - inline device procedures that depend on the thread or synchronise;
//   - make a function that runs one thread (host_kernel_body.cpp);
//   - a CUF kernel has a form for CPUs, whose only thread does what a block does (cpu_forms.h);
//   - a kernel without synchronising operations gets loops over the threads of a block, which LLVM
//     can vectorise (thread_loops.cpp), one with barriers that all threads reach alike such loops
//     between them (barrier_loops.h); others become state machines (state_machine.cpp) that the
//     runtime drives.
#include "codegen/cpu/host_kernels.h"
#include "base/diag.h"
#include "codegen/address_spaces.h"
#include "codegen/cache_hints.h"
#include "codegen/cpu/access_checks.h"
#include "codegen/cpu/barrier_loops.h"
#include "codegen/cpu/block_code.h"
#include "codegen/cpu/block_function.h"
#include "codegen/cpu/block_rows.h"
#include "codegen/cpu/block_tickets.h"
#include "codegen/cpu/counted_rounds.h"
#include "codegen/cpu/cpu_forms.h"
#include "codegen/cpu/element_loops.h"
#include "codegen/cpu/gathered_updates.h"
#include "codegen/cpu/host_extremes.h"
#include "codegen/cpu/host_kernel_body.h"
#include "codegen/cpu/lane_loops.h"
#include "codegen/cpu/likely_blocks.h"
#include "codegen/cpu/local_checks.h"
#include "codegen/cpu/shared_atomics.h"
#include "codegen/cpu/small_switches.h"
#include "codegen/cpu/state_machine.h"
#include "codegen/cpu/sync_operations.h"
#include "codegen/cpu/thread_loops.h"
#include "codegen/cpu/vector_math.h"
#include "codegen/cpu/warp_lanes.h"
#include "codegen/device_output.h"
#include "codegen/gpu/complex_sums.h"
#include "codegen/group_operations.h"
#include "codegen/matrix_operations.h"
#include "codegen/pass_runner.h"
#include "codegen/pipeline_copies.h"
#include "codegen/random_state.h"
#include "codegen/variable_places.h"
#include "cufrt/abi.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/FunctionAttrs.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <set>

namespace cufc {
namespace {

using namespace llvm;

void retarget(Module &module, const TargetMachine &host) {
  module.setTargetTriple(host.getTargetTriple());
  module.setDataLayout(host.createDataLayout());
  if (NamedMDNode *annotations = module.getNamedMetadata("nvvm.annotations"))
    annotations->eraseFromParent();
  for (Function &function : module) {
    function.setCallingConv(CallingConv::C);
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallBase>(user))
        call->setCallingConv(CallingConv::C);
    for (const char *name : {"target-cpu", "target-features", "tune-cpu"})
      function.removeFnAttr(name);
  }
}

// Memory that is not shared moves to the host's one address space.
void flattenAddressSpaces(Module &module) {
  for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
    unsigned space = variable.getAddressSpace();
    if (space != genericSpace && space != sharedSpace)
      moveToAddressSpace(variable, genericSpace);
  }
}

// What a GPU takes from libdevice, the host device has in the runtime library (host/device_*.cpp).
void replaceLibdevice(Module &module) {
  for (Function &function : module)
    if (StringRef name = function.getName(); name.consume_front("__nv_"))
      function.setName(hostLibdevicePrefix + name);
  completeMathFacts(module);
}

void renameDefinitions(Module &module) {
  auto rename = [](GlobalObject &object) {
    object.setName(object.getName() + hostDeviceSuffix);
    object.setLinkage(GlobalValue::InternalLinkage);
    object.setComdat(nullptr);
    object.setVisibility(GlobalValue::DefaultVisibility);
  };
  for (Function &function : module)
    if (!function.isDeclaration())
      rename(function);
  for (GlobalVariable &variable : module.globals())
    if (variable.hasInitializer() && variable.getAddressSpace() != sharedSpace)
      rename(variable);
}

// Adds the functions that use a value, directly or through calls.
void addUsers(const Value &value, std::set<Function *> &users) {
  for (const User *user : value.users())
    if (auto *instruction = dyn_cast<Instruction>(user)) {
      auto *function = const_cast<Function *>(instruction->getFunction());
      if (users.insert(function).second)
        addUsers(*function, users);
    } else {
      addUsers(*user, users);
    }
}

// Device procedures that read special registers, use shared memory or synchronise, directly or
// through calls, only make sense inside their kernel.
void inlineThreadDependent(Module &module, ArrayRef<Function *> kernels) {
  std::set<Function *> dependent;
  for (Function &function : module)
    if (StringRef name = function.getName();
        name.starts_with("llvm.nvvm.") || name == gridBarrier || name == matrixOperation)
      addUsers(function, dependent);
  for (GlobalVariable &variable : module.globals())
    if (variable.getAddressSpace() == sharedSpace)
      addUsers(variable, dependent);
  for (Function *function : dependent) {
    if (is_contained(kernels, function))
      continue;
    function->removeFnAttr(Attribute::NoInline);
    function->removeFnAttr(Attribute::OptimizeNone);
    function->addFnAttr(Attribute::AlwaysInline);
  }
}

// What calls procedures of other files, directly or through calls.
std::set<Function *> callersOfImports(const Module &module, const DeviceFacts &facts) {
  std::set<Function *> callers;
  for (const DeviceImport &import : facts.imports)
    if (const Function *function = module.getFunction(import.name);
        import.isProcedure && function && function->isDeclaration())
      addUsers(*function, callers);
  return callers;
}

// Other objects define the host device's copies of imported data.
void renameImportedData(Module &module, const DeviceFacts &facts) {
  for (const DeviceImport &import : facts.imports)
    if (GlobalVariable *variable = module.getGlobalVariable(import.name);
        variable && !variable->hasInitializer()) {
      variable->setName(import.name + hostDeviceSuffix);
      variable->setLinkage(GlobalValue::ExternalLinkage);
    }
}

enum class Cleanup { None, Registers, Full };

void inlineAndSimplify(Module &module, Cleanup kind) {
  runPasses(module, nullptr, {}, [&](PassBuilder &) {
    ModulePassManager passes;
    passes.addPass(AlwaysInlinerPass());
    if (kind == Cleanup::Registers)
      passes.addPass(createModuleToFunctionPassAdaptor(SROAPass(SROAOptions::PreserveCFG)));
    if (kind == Cleanup::Full) {
      FunctionPassManager cleanup;
      cleanup.addPass(SROAPass(SROAOptions::ModifyCFG));
      cleanup.addPass(EarlyCSEPass());
      cleanup.addPass(SimplifyCFGPass());
      passes.addPass(createModuleToFunctionPassAdaptor(std::move(cleanup)));
      passes.addPass(createModuleToPostOrderCGSCCPassAdaptor(PostOrderFunctionAttrsPass()));
    }
    return passes;
  });
}

bool calls(const Function &function, const Function &wanted, std::set<const Function *> &seen) {
  return any_of(instructions(function), [&](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee &&
           (callee == &wanted || (seen.insert(callee).second && calls(*callee, wanted, seen)));
  });
}

// Small device procedures, after the cleanup: what a thread does there, too, is looked at where
// loops over threads get their shape, long before LLVM's inliner comes.
void inlineSmallProcedures(Module &module, ArrayRef<Function *> roots) {
  constexpr size_t small = 100, most = 2000; // instructions, those of all copies
  for (Function &function : module) {
    if (function.isDeclaration() || is_contained(roots, &function) ||
        function.hasFnAttribute(Attribute::NoInline))
      continue;
    const size_t size = function.getInstructionCount();
    const auto copies = static_cast<size_t>(
        count_if(function.users(), [](const User *user) { return isa<CallBase>(user); }));
    std::set<const Function *> seen;
    if ((size <= small || size * copies <= most) && !calls(function, function, seen))
      function.addFnAttr(Attribute::AlwaysInline);
  }
  inlineAndSimplify(module, Cleanup::Full);
}

// The size of each argument's value, as a launch brings it.
std::vector<uint32_t> argumentBytes(const Function &kernel) {
  const DataLayout &layout = kernel.getDataLayout();
  std::vector<uint32_t> sizes;
  for (const Argument &argument : kernel.args()) {
    Type *type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
    sizes.push_back(static_cast<uint32_t>(layout.getTypeAllocSize(type).getFixedValue()));
  }
  return sizes;
}

struct KernelMode {
  bool isChecked, forDebugger, optimises;
};

bool hasLoops(const BarrierLoops &loops, HostKernel &kernel) {
  if (loops.partingLine)
    kernel.partingLine = loops.partingLine;
  if (!loops.block)
    return false;
  kernel.runBlock = loops.block->getName();
  kernel.frameBytes = loops.frameBytes;
  kernel.threadLoops = loops.count;
  return true;
}

// For the blocks whose threads run the loops equally often in which they meet.
void makeLoopsOfCountedRounds(Function &thread, const std::string &name, bool ofLanes,
                              HostKernel &kernel) {
  const CountedRounds equal = assumeEqualCounts(thread, name + ".fits");
  if (!equal.thread)
    return;
  if (hasLoops(makeBarrierLoops(*equal.thread, name + ".block"), kernel)) {
    kernel.fitsBlock = equal.fits->getName();
    return;
  }
  if (ofLanes && hasLoops(makeWarpLoops(*equal.thread, name + ".block"), kernel)) {
    kernel.wholeWarps = true;
    kernel.fitsBlock = equal.fits->getName();
  } else {
    equal.fits->eraseFromParent();
  }
  equal.thread->eraseFromParent();
}

// Loops over all threads, loops between barriers, or threads that stop: the first that is possible.
void chooseForm(HostKernelBody &body, const std::string &name, const KernelMode &mode,
                HostKernel &kernel) {
  const bool forDebugger = mode.forDebugger, optimises = mode.optimises && !forDebugger;
  const bool makesLoops = optimises && !body.usesOtherBlocks;
  // Where the threads of the copy cannot meet, it is as if there were none.
  Function *drawing = makesLoops && !mode.isChecked ? withTickets(*body.thread) : nullptr;
  if (drawing && hasLoops(makeBarrierLoops(*drawing, name + ".block"), kernel))
    return body.thread->eraseFromParent();
  if (!body.usesOtherBlocks && !synchronises(*body.thread)) {
    if (drawing)
      drawing->eraseFromParent();
    kernel.threadsLoop = hasLongLoop(*body.thread);
    kernel.runsRows =
        optimises && !mode.isChecked && kernel.blocksAreIndependent && isForRows(*body.thread);
    kernel.runBlock =
        makeBlockFunction(*body.thread, name + ".block", forDebugger, kernel.runsRows)->getName();
    kernel.threadLoops = 1;
    return;
  }
  const bool ofLanes = makesLoops && !mode.isChecked && synchronisesLanes(*body.thread);
  kernel.wholeWarps =
      drawing && ofLanes && hasLoops(makeWarpLoops(*drawing, name + ".block"), kernel);
  if (drawing)
    drawing->eraseFromParent();
  if (makesLoops && !kernel.wholeWarps &&
      hasLoops(makeBarrierLoops(*body.thread, name + ".block"), kernel))
    return;
  if (ofLanes && !kernel.wholeWarps)
    kernel.wholeWarps = hasLoops(makeWarpLoops(*body.thread, name + ".block"), kernel);
  if (makesLoops && !mode.isChecked && kernel.runBlock.empty() && !kernel.waitsForGrid)
    makeLoopsOfCountedRounds(*body.thread, name, ofLanes, kernel);
  const uint64_t bytesOfWarps = kernel.frameBytes;
  kernel.frameBytes = makeResumable(*body.thread, *body.thread->getArg(2), forDebugger);
  placeVariablesInFrame(*body.thread, *body.thread->getArg(2));
  kernel.resumeThread = kernel.frameBytes ? body.thread->getName().str() : "";
  if (!kernel.frameBytes)
    body.unsupported = "an array with computed bounds is not made on entry";
  else
    kernel.frameBytes = std::max(kernel.frameBytes, alignTo(bytesOfWarps, 16));
}

// Of a CUF kernel's form for CPUs, in which one thread does what a block does.
HostKernel makeChunkKernel(Function &form, bool keepThread) {
  HostKernel kernel;
  kernel.argumentBytes = argumentBytes(form);
  std::string name = form.getName().str();
  HostKernelBody body = makeThreadFunction(form);
  kernel.staticSharedBytes = body.staticSharedBytes;
  markChunkLoop(*body.thread);
  if (keepThread)
    joinPrologue(*body.thread);
  Function *block = createBlockFunction(*body.thread, name + ".block", keepThread);
  IRBuilder<> builder(&block->getEntryBlock());
  Value *first = builder.getInt32(0);
  callThread(builder, *block, *body.thread, {first, first, first});
  builder.CreateRetVoid();
  kernel.runBlock = block->getName();
  kernel.blocksAreIndependent = true; // as iterations are
  form.eraseFromParent();
  return kernel;
}

// The forms for CPUs by their kernels' symbols. Checks look at what each thread does.
std::map<std::string, Function *> cpuForms(Module &module, const DeviceFacts &facts, bool checked) {
  std::map<std::string, Function *> forms;
  if (checked)
    dropCpuForms(module);
  for (const KernelFacts &kernel : facts.kernels)
    if (Function *form = cpuFormOf(module, kernel.name))
      forms[kernel.name] = form;
  return forms;
}

// Whether debug information of variables is to hold throughout.
bool keepsVariables(const Module &module, const TargetMachine &host) {
  return host.getOptLevel() == CodeGenOptLevel::None &&
         any_of(module.debug_compile_units(), [](const DICompileUnit *unit) {
           return unit->getEmissionKind() == DICompileUnit::FullDebug;
         });
}

void makeChunkKernels(const std::map<std::string, Function *> &forms, bool keepThreads,
                      HostKernels &kernels) {
  std::map<Function *, HostKernel> made;
  std::set<Function *> unused; // the kernels themselves are made
  for (auto &[name, form] : forms) {
    auto known = made.find(form);
    if (known == made.end() && !isWholeBlock(*form)) {
      unused.insert(form);
      continue;
    }
    if (known == made.end())
      known = made.emplace(form, makeChunkKernel(*form, keepThreads)).first;
    kernels[name] = known->second;
  }
  for (Function *form : unused)
    form->eraseFromParent();
}

// What one file is compiled for.
void buildHostKernel(Function &function, const KernelFacts &facts, const KernelMode &mode,
                     HostKernels &all, Diagnostics &diagnostics) {
  // A declaration is made when the program is linked.
  if (function.isDeclaration() || all.count(facts.name))
    return function.eraseFromParent();
  HostKernel &kernel = all[facts.name];
  kernel.argumentBytes = argumentBytes(function);
  if (DISubprogram *program = function.getSubprogram())
    kernel.line = static_cast<int>(program->getLine());
  kernel.blocksAreIndependent = mode.optimises && blocksAreIndependent(function);
  kernel.waitsForGrid = waitsForGrid(function);
  if (mode.optimises && !kernel.waitsForGrid) // updates may be for behind it
    markGatheredUpdates(function, facts);
  HostKernelBody body = makeThreadFunction(function);
  if (mode.forDebugger)
    declareThreadIndices(*body.thread);
  kernel.staticSharedBytes = body.staticSharedBytes;
  if (mode.optimises && body.unsupported.empty())
    kernel.likelyBlocks = likelyBlocks(body, facts);
  if (mode.optimises)
    separateCases(*body.thread);
  if (body.unsupported.empty())
    chooseForm(body, facts.name, mode, kernel);
  if (kernel.runsRows || kernel.wholeWarps) // of all lengths, or of 32 lanes anyway
    kernel.likelyBlocks.clear();
  if (mode.forDebugger && body.unsupported.empty())
    joinPrologue(*body.thread);
  kernel.isChecked = mode.isChecked;
  if (mode.isChecked)
    announceThread(*body.thread, body.sharedVariables);
  if (!body.unsupported.empty()) {
    diagnostics.report(Diag::HostCodeUnsupported, {}, facts.display, body.unsupported);
    body.thread->deleteBody();
  }
  function.eraseFromParent();
}

} // namespace

void markLinkedKernels(const Module &module, DeviceFacts &facts) {
  std::set<Function *> callers = callersOfImports(module, facts);
  for (KernelFacts &kernel : facts.kernels)
    kernel.needsLinking = callers.count(module.getFunction(kernel.name)) != 0;
}

void referToDefinedVariables(Module &module, DeviceFacts &facts) {
  for (const DeviceVariableFacts &variable : facts.variables) {
    GlobalVariable *global = module.getGlobalVariable(variable.name, true);
    if (!global)
      continue;
    global->setInitializer(nullptr);
    global->setLinkage(GlobalValue::ExternalLinkage);
    facts.imports.push_back({variable.name, variable.name, false, false, {}});
  }
  facts.variables.clear();
}

std::unique_ptr<Module> cloneForHost(const Module &device, bool withVariables) {
  ValueToValueMapTy map;
  const auto kind = withVariables ? DICompileUnit::FullDebug : DICompileUnit::LineTablesOnly;
  for (const DICompileUnit *unit : device.debug_compile_units())
    map.MD()[unit].reset(DICompileUnit::getDistinct(
        device.getContext(), unit->getSourceLanguage(), unit->getFile(), unit->getProducer(),
        unit->isOptimized(), unit->getFlags(), unit->getRuntimeVersion(),
        unit->getSplitDebugFilename(), kind, unit->getEnumTypes(), unit->getRetainedTypes(),
        unit->getGlobalVariables(), unit->getImportedEntities(), unit->getMacros(),
        unit->getDWOId(), unit->getSplitDebugInlining(), unit->getDebugInfoForProfiling(),
        unit->getNameTableKind(), unit->getRangesBaseAddress(), unit->getSysRoot(),
        unit->getSDK()));
  std::unique_ptr<Module> copy = CloneModule(device, map);
  for (const DICompileUnit *unit : device.debug_compile_units())
    if (MDTuple *globals = unit->getGlobalVariables().get())
      cast<DICompileUnit>(map.MD()[unit].get())
          ->replaceGlobalVariables(cast<MDTuple>(MapMetadata(globals, map)));
  return copy;
}

HostKernels buildHostKernels(Module &module, const TargetMachine &host, const DeviceFacts &facts,
                             Diagnostics &diagnostics) {
  retarget(module, host);
  chooseExtremes(module);
  placeRandomStates(module, facts);
  addProductsInParts(module, /*fuses=*/false);
  defineCacheHints(module, /*forGpu=*/false);
  definePipelineCopies(module, /*forGpu=*/false);
  defineMatrixOperations(module, /*forGpu=*/false);
  flattenAddressSpaces(module);
  replaceLibdevice(module);
  std::vector<Function *> kernels;
  for (Function *function : callersOfImports(module, facts))
    function->deleteBody();
  for (const KernelFacts &fact : facts.kernels)
    kernels.push_back(module.getFunction(fact.name));
  bool checked = isChecked(module), forDebugger = keepsVariables(module, host);
  bool optimises = !checked && host.getOptLevel() >= CodeGenOptLevel::Default;
  std::map<std::string, Function *> forms = cpuForms(module, facts, checked);
  renameImportedData(module, facts);
  useHostPrint(module);
  std::vector<Function *> roots = kernels;
  for (auto &[name, form] : forms)
    roots.push_back(form);
  inlineThreadDependent(module, roots);
  renameDefinitions(module);
  if (checked)
    checkLocals(module);
  if (forDebugger)
    placeVariables(module);
  if (checked) { // before branches become loads that the source does not have
    inlineAndSimplify(module, forDebugger ? Cleanup::None : Cleanup::Registers);
    checkAccesses(module);
  }
  inlineAndSimplify(module, forDebugger ? Cleanup::None : Cleanup::Full);
  if (optimises && !forDebugger) {
    inlineSmallProcedures(module, roots);
    unrollLaneLoops(module);
    unrollElementLoops(module);
  }
  HostKernels result;
  makeChunkKernels(forms, forDebugger, result);
  const KernelMode mode{checked, forDebugger, optimises};
  for (size_t i = 0; i < kernels.size(); ++i)
    if (kernels[i])
      buildHostKernel(*kernels[i], facts.kernels[i], mode, result, diagnostics);
  inlineAndSimplify(module, Cleanup::None);
  if (optimises) {
    tuneBlockFunctions(module, host, result);
    unlockSharedMemory(module);
    gatherUpdates(module);
  }
  // The linker only takes what is external or referred to; addRegistration makes these internal.
  for (auto &[name, kernel] : result)
    for (const std::string &function : {kernel.runBlock, kernel.resumeThread, kernel.fitsBlock})
      if (!function.empty())
        module.getFunction(function)->setLinkage(GlobalValue::ExternalLinkage);
  for (const DeviceVariableFacts &variable : facts.variables)
    if (GlobalVariable *storage = module.getGlobalVariable(variable.name + hostDeviceSuffix, true))
      storage->setLinkage(GlobalValue::ExternalLinkage);
  return result;
}

} // namespace cufc
