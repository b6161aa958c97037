// No memory belongs to a thread for its life but the stack of its kernel. So procedures that use
// random numbers are inlined into their kernels, and there
//   call ptr @__cufc_random_state()   becomes   alloca [4 x i32], set to zero on entry.
// Procedures that stay, for callers in other files that are linked by nvcc, begin with a seed from
// the clock at each call.
#include "codegen/random_state.h"
#include "codegen/pass_runner.h"
#include "lower/device_facts.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"

namespace cufc {
namespace {

using namespace llvm;

SetVector<Function *> callersOf(Function &function) {
  SetVector<Function *> callers;
  SmallVector<Function *> waiting{&function};
  while (!waiting.empty())
    for (User *user : waiting.pop_back_val()->users())
      if (auto *call = dyn_cast<CallInst>(user); call && callers.insert(call->getFunction()))
        waiting.push_back(call->getFunction());
  return callers;
}

void inlineIntoKernels(Module &module, Function &source, const StringSet<> &kernels) {
  for (Function *function : callersOf(source)) {
    if (kernels.contains(function->getName()))
      continue;
    function->removeFnAttr(Attribute::NoInline);
    function->removeFnAttr(Attribute::OptimizeNone);
    function->addFnAttr(Attribute::AlwaysInline);
  }
  runPasses(module, nullptr, {}, [](PassBuilder &) {
    ModulePassManager passes;
    passes.addPass(AlwaysInlinerPass());
    return passes;
  });
}

Value *makeState(Function &function, bool fromClock) {
  IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
  auto *type = ArrayType::get(builder.getInt32Ty(), 4);
  Value *state = builder.CreateAlloca(type, nullptr, "random_state");
  builder.CreateStore(Constant::getNullValue(type), state);
  if (fromClock) {
    Value *cycles =
        builder.CreateIntrinsic(builder.getInt64Ty(), Intrinsic::nvvm_read_ptx_sreg_clock64, {});
    builder.CreateAlignedStore(cycles, state, Align(4));
  }
  return state;
}

} // namespace

void placeRandomStates(Module &module, const DeviceFacts &facts) {
  Function *source = module.getFunction("__cufc_random_state");
  if (!source)
    return;
  StringSet<> kernels;
  for (const KernelFacts &kernel : facts.kernels)
    kernels.insert(kernel.name);
  inlineIntoKernels(module, *source, kernels);
  DenseMap<Function *, Value *> states;
  for (User *user : make_early_inc_range(source->users())) {
    auto *call = cast<CallInst>(user);
    Function *function = call->getFunction();
    Value *&state = states[function];
    if (!state)
      state = makeState(*function, !kernels.contains(function->getName()));
    call->replaceAllUsesWith(state);
    call->eraseFromParent();
  }
  source->eraseFromParent();
}

} // namespace cufc
