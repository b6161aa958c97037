// By metadata of the loop and its accesses (LLVM language reference,
// "llvm.loop.parallel_accesses").
#include "codegen/cpu/independent_accesses.h"
#include "codegen/cpu/host_kernels.h"
#include "codegen/cpu/loop_versions.h"
#include "codegen/cpu/thread_values.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include <optional>
#include <vector>

namespace cufc {

using namespace llvm;

namespace {

constexpr const char *parallelAccesses = "llvm.loop.parallel_accesses";

bool isOwnMemory(const Value *address) {
  return isa<AllocaInst>(getUnderlyingObject(address, 0)) && !isThreadValue(address);
}

// Those of the loop, if all are of the kinds that are independent.
std::optional<std::vector<Instruction *>> accessesOf(const Loop &loop) {
  std::vector<Instruction *> accesses;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      if (!instruction.mayReadOrWriteMemory())
        continue;
      const Value *address = getLoadStorePointerOperand(&instruction);
      if (isa<NoAliasScopeDeclInst>(instruction)) { // which LLVM takes for an access, too
        accesses.push_back(&instruction);
        continue;
      }
      if (!address || instruction.isVolatile() || instruction.isAtomic() || isOwnMemory(address))
        return std::nullopt;
      accesses.push_back(&instruction);
    }
  return accesses;
}

} // namespace

void markIndependentAccesses(Loop &loop) {
  std::optional<std::vector<Instruction *>> accesses = accessesOf(loop);
  if (!accesses)
    return;
  LLVMContext &context = loop.getHeader()->getContext();
  MDNode *group = MDNode::getDistinct(context, {});
  for (Instruction *access : *accesses)
    access->setMetadata(LLVMContext::MD_access_group, group);
  MDNode *parallel = MDNode::get(context, {MDString::get(context, parallelAccesses), group});
  loop.setLoopID(makePostTransformationMetadata(context, loop.getLoopID(), {}, {parallel}));
}

namespace {

// LLVM's vectoriser has nothing to say of a loop with others in it (-Minfo).
void tellOfLoopsWithin(Loop &threads, OptimizationRemarkEmitter &emitter) {
  emitter.emit([&] {
    return OptimizationRemarkAnalysis("loop-vectorize", "LoopOfThread", threads.getStartLoc(),
                                      threads.getHeader())
           << "loop not vectorized: each thread runs loops of its own, one thread after the other";
  });
}

struct AccessesOfThreads : PassInfoMixin<AccessesOfThreads> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (!function.hasFnAttribute(blockFunctionMark))
      return PreservedAnalyses::all();
    for (Loop *loop : threadLoops(analyses.getResult<LoopAnalysis>(function))) {
      if (!loop->isInnermost())
        tellOfLoopsWithin(*loop, analyses.getResult<OptimizationRemarkEmitterAnalysis>(function));
      MDNode *parallel = findOptionMDForLoop(loop, parallelAccesses);
      if (!loop->isInnermost() || !parallel || parallel->getNumOperands() != 2)
        continue;
      if (std::optional<std::vector<Instruction *>> accesses = accessesOf(*loop))
        for (Instruction *access : *accesses) // but those that have a group
          if (!access->hasMetadata(LLVMContext::MD_access_group))
            access->setMetadata(LLVMContext::MD_access_group,
                                cast<MDNode>(parallel->getOperand(1)));
    }
    return PreservedAnalyses::all();
  }
};

} // namespace

void keepAccessesIndependent(PassBuilder &builder) {
  builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel level) {
        if (level.getSpeedupLevel() > 1)
          passes.addPass(AccessesOfThreads());
      });
}

MemoryLocation objectOf(const Instruction &access) {
  return MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(&access),
                                          access.getAAMetadata());
}

} // namespace cufc
