//   real :: c(4, 4)
//   do j = 1, 4; do i = 1, 4          =>    c11 = c11 + a1*b1
//     c(i, j) = c(i, j) + a(i)*b(j)         c21 = c21 + a2*b1
//   end do; end do                          ...
//
// as GPU code has it, too. What lives across a barrier is then an array over the threads for each
// element (region_values.h), and the loops between barriers have no memory of the thread, of which
// thread_jam.cpp would not know that threads side by side may use it together. This is for arrays
// all of whose subscripts are numbers then.
#include "codegen/cpu/element_loops.h"
#include "codegen/cpu/sync_operations.h"
#include "codegen/gpu/batched_loops.h"
#include "codegen/pass_runner.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr unsigned mostTrips = 65;        // also of a loop that is left from its header
constexpr size_t mostInstructions = 1500; // of all iterations

bool meets(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    return call && syncOperation(*call);
  });
}

bool isShort(const Loop &loop, ScalarEvolution &evolution) {
  const unsigned trips = evolution.getSmallConstantTripCount(&loop);
  return trips > 0 && trips <= mostTrips;
}

// Whether it is a number in each iteration of short loops.
bool becomesNumber(Value &value, ScalarEvolution &evolution) {
  return !SCEVExprContains(evolution.getSCEV(&value), [&](const SCEV *part) {
    auto *round = dyn_cast<SCEVAddRecExpr>(part);
    return isa<SCEVUnknown>(part) || (round && !isShort(*round->getLoop(), evolution));
  });
}

bool becomesValues(const AllocaInst &array, ScalarEvolution &evolution) {
  SmallVector<const Value *> addresses{&array};
  while (!addresses.empty()) {
    const Value *address = addresses.pop_back_val();
    for (const User *user : address->users()) {
      if (auto *element = dyn_cast<GetElementPtrInst>(user)) {
        if (!all_of(element->indices(),
                    [&](Value *index) { return becomesNumber(*index, evolution); }))
          return false;
        addresses.push_back(element);
      } else if (getLoadStorePointerOperand(user) != address) {
        return false;
      }
    }
  }
  return true;
}

// Whether the number of an iteration says which element is accessed.
bool choosesElements(const Loop &loop, ScalarEvolution &evolution) {
  return any_of(loop.blocks(), [&](BasicBlock *block) {
    return any_of(*block, [&](Instruction &instruction) {
      auto *element = dyn_cast<GetElementPtrInst>(&instruction);
      auto *array = element ? dyn_cast<AllocaInst>(getUnderlyingObject(element)) : nullptr;
      return array && !evolution.isLoopInvariant(evolution.getSCEV(element), &loop) &&
             becomesValues(*array, evolution);
    });
  });
}

// What becomes of a loop whose chosen inner loops are unrolled.
size_t sizeOf(const Loop &loop, const LoopInfo &loops, const DenseSet<const Loop *> &chosen,
              ScalarEvolution &evolution) {
  size_t once = 0;
  for (const BasicBlock *block : loop.blocks())
    if (loops.getLoopFor(block) == &loop)
      once += block->size();
  for (const Loop *inner : loop.getSubLoops())
    once += sizeOf(*inner, loops, chosen, evolution);
  return chosen.contains(&loop) ? once * evolution.getSmallConstantTripCount(&loop) : once;
}

// Of a whole nest before a loop of it is unrolled.
struct ChooseElementLoops : PassInfoMixin<ChooseElementLoops> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (!meets(function))
      return PreservedAnalyses::all();
    auto &loops = analyses.getResult<LoopAnalysis>(function);
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    DenseSet<const Loop *> chosen;
    const SmallVector<Loop *> all = loops.getLoopsInPreorder();
    for (Loop *loop : reverse(all)) { // inner loops first
      if (!isShort(*loop, evolution) || hasUnrollHint(*loop) || !choosesElements(*loop, evolution))
        continue;
      chosen.insert(loop);
      if (sizeOf(*loop, loops, chosen, evolution) <= mostInstructions)
        addStringMetadataToLoop(loop, "llvm.loop.unroll.full", 1);
      else
        chosen.erase(loop);
    }
    return PreservedAnalyses::all();
  }
};

} // namespace

void unrollElementLoops(Module &module) {
  runPasses(module, nullptr, {}, [&](PassBuilder &) {
    constexpr int asUsual = 2;
    LoopPassManager loops;
    loops.addPass(LoopFullUnrollPass(asUsual, /*OnlyWhenForced=*/true));
    FunctionPassManager functions;
    functions.addPass(ChooseElementLoops());
    functions.addPass(createFunctionToLoopPassAdaptor(std::move(loops)));
    functions.addPass(EarlyCSEPass());
    functions.addPass(SimplifyCFGPass()); // a last iteration that never is, behind the array
    functions.addPass(SROAPass(SROAOptions::ModifyCFG));
    functions.addPass(EarlyCSEPass());
    functions.addPass(SimplifyCFGPass());
    ModulePassManager passes;
    passes.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
    return passes;
  });
}

} // namespace cufc
