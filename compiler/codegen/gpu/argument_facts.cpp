// `noalias` in LLVM speaks of one thread: a barrier does not end it. So an argument that a kernel
// writes and that threads exchange data through must not have it, or a load after a barrier could
// be replaced by one from before. Hence: in a kernel that synchronises in any way, only arguments
// that are never written get the attribute.
#include "codegen/gpu/argument_facts.h"
#include "codegen/pass_runner.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/FunctionAttrs.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include <set>

namespace cufc {
namespace {

using namespace llvm;

// Puts variables into registers, reads descriptors where they come from and not in copies, and lets
// LLVM find which arguments are only read.
void inferReadOnlyArguments(Module &module, TargetMachine &target) {
  runPasses(module, &target, {}, [](PassBuilder &) {
    ModulePassManager passes;
    FunctionPassManager simplify;
    simplify.addPass(SROAPass(SROAOptions::ModifyCFG));
    simplify.addPass(InstSimplifyPass());
    passes.addPass(createModuleToFunctionPassAdaptor(std::move(simplify)));
    passes.addPass(createModuleToPostOrderCGSCCPassAdaptor(PostOrderFunctionAttrsPass()));
    return passes;
  });
}

bool exchangesData(const Instruction &instruction) {
  if (isa<AtomicRMWInst, AtomicCmpXchgInst, FenceInst>(instruction) || instruction.isVolatile())
    return true;
  auto *call = dyn_cast<CallInst>(&instruction);
  if (!call)
    return false;
  if (call->isInlineAsm() || !call->getCalledFunction())
    return true;
  const Function *callee = call->getCalledFunction();
  return callee->isIntrinsic() && callee->isConvergent()
             ? true
             : callee->getName().starts_with("llvm.nvvm.membar");
}

// Functions that synchronise or exchange data with other threads, directly or through calls.
std::set<const Function *> synchronisingFunctions(const Module &module) {
  std::set<const Function *> found;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Function &function : module) {
      if (found.count(&function))
        continue;
      for (const Instruction &instruction : instructions(function)) {
        auto *call = dyn_cast<CallInst>(&instruction);
        if (exchangesData(instruction) || (call && found.count(call->getCalledFunction()))) {
          found.insert(&function);
          changed = true;
          break;
        }
      }
    }
  }
  return found;
}

void addLaunchBounds(Function &function, const KernelFacts &kernel) {
  if (kernel.maxThreads != 1024 || kernel.minBlocks) // ptxas ignores the latter alone
    function.addFnAttr("nvvm.maxntid", std::to_string(kernel.maxThreads));
  if (kernel.minBlocks)
    function.addFnAttr("nvvm.minctasm", std::to_string(kernel.minBlocks));
  if (kernel.maxClusterBlocks)
    function.addFnAttr("nvvm.maxclusterrank", std::to_string(kernel.maxClusterBlocks));
}

} // namespace

void applyArgumentFacts(Module &module, TargetMachine &target, const DeviceFacts &facts,
                        bool optimises) {
  if (optimises)
    inferReadOnlyArguments(module, target);
  std::set<const Function *> synchronising = synchronisingFunctions(module);
  for (const KernelFacts &kernel : facts.kernels) {
    Function *function = module.getFunction(kernel.name);
    if (!function)
      continue;
    for (unsigned i = 0; i < function->arg_size() && i < kernel.arguments.size(); ++i) {
      Argument *argument = function->getArg(i);
      const KernelArgumentFacts &fact = kernel.arguments[i];
      if (!argument->getType()->isPointerTy() || argument->hasByValAttr() || fact.mayAlias)
        continue;
      if (fact.readOnly || argument->onlyReadsMemory() || !synchronising.count(function))
        argument->addAttr(Attribute::NoAlias);
    }
    addLaunchBounds(*function, kernel);
  }
}

} // namespace cufc
