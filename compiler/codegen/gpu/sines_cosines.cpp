// See sines_cosines.h.
#include "codegen/gpu/sines_cosines.h"
#include "codegen/pass_runner.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include <map>

namespace cufc {
namespace {

using namespace llvm;

struct Calls {
  CallInst *sine = nullptr, *cosine = nullptr; // the first ones
};

CallInst *callOf(User *user, const Function &function) {
  auto *call = dyn_cast<CallInst>(user);
  return call && call->getCalledFunction() == &function ? call : nullptr;
}

class Joiner {
public:
  Joiner(Module &module, const char *sine, const char *cosine, const char *both)
      : module(module), sine(module.getFunction(sine)), cosine(module.getFunction(cosine)),
        both(both) {}

  bool isNeeded() const { return sine && cosine && !sine->use_empty() && !cosine->use_empty(); }

  void run() {
    std::map<std::pair<Function *, Value *>, Calls> angles;
    collect(*sine, &Calls::sine, angles);
    collect(*cosine, &Calls::cosine, angles);
    for (auto &[where, calls] : angles)
      if (calls.sine && calls.cosine)
        join(*where.first, calls);
  }

private:
  using Angles = std::map<std::pair<Function *, Value *>, Calls>;

  static void collect(Function &function, CallInst *Calls::*which, Angles &angles) {
    for (User *user : function.users())
      if (CallInst *call = callOf(user, function)) {
        CallInst *&known = angles[{call->getFunction(), call->getArgOperand(0)}].*which;
        if (!known || DominatorTree(*call->getFunction()).dominates(call, known))
          known = call;
      }
  }

  void join(Function &function, const Calls &calls) {
    DominatorTree dominators(function);
    CallInst *first = dominators.dominates(calls.sine, calls.cosine) ? calls.sine : calls.cosine;
    CallInst *second = first == calls.sine ? calls.cosine : calls.sine;
    if (!dominators.dominates(first, second))
      return;
    Type *type = first->getType(), *pointer = PointerType::get(module.getContext(), 0);
    IRBuilder<> entry(&function.getEntryBlock(), function.getEntryBlock().begin());
    Value *sineOf = entry.CreateAlloca(type), *cosineOf = entry.CreateAlloca(type);
    IRBuilder<> builder(first);
    FunctionCallee callee =
        module.getOrInsertFunction(both, builder.getVoidTy(), type, pointer, pointer);
    builder.CreateCall(callee, {first->getArgOperand(0), sineOf, cosineOf});
    Value *sineValue = builder.CreateLoad(type, sineOf),
          *cosineValue = builder.CreateLoad(type, cosineOf);
    replace(*calls.sine, sineValue);
    replace(*calls.cosine, cosineValue);
  }

  static void replace(CallInst &call, Value *value) {
    call.replaceAllUsesWith(value);
    call.eraseFromParent();
  }

  Module &module;
  Function *sine, *cosine;
  const char *both;
};

} // namespace

void joinSinesAndCosines(Module &module, TargetMachine &target) {
  Joiner joiners[] = {{module, "__nv_sin", "__nv_cos", "__nv_sincos"},
                      {module, "__nv_sinf", "__nv_cosf", "__nv_sincosf"}};
  if (none_of(joiners, [](const Joiner &joiner) { return joiner.isNeeded(); }))
    return;
  // The same angle is the same value after these.
  runPasses(module, &target, {}, [](PassBuilder &) {
    ModulePassManager passes;
    passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/false));
    passes.addPass(createModuleToFunctionPassAdaptor(SROAPass(SROAOptions::ModifyCFG)));
    passes.addPass(createModuleToFunctionPassAdaptor(EarlyCSEPass(/*UseMemorySSA=*/true)));
    return passes;
  });
  for (Joiner &joiner : joiners)
    if (joiner.isNeeded())
      joiner.run();
}

} // namespace cufc
