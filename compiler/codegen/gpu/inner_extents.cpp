// See inner_extents.h.
#include "codegen/gpu/inner_extents.h"
#include "codegen/branches.h"
#include "codegen/gpu/kernel_accesses.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <optional>

namespace cufc {
namespace {

using namespace llvm;

// Instructions of a loop that may be written out for each iteration.
constexpr size_t mostInstructions = 80;

class InnerExtents {
public:
  InnerExtents(Function &kernel, const KernelFacts &facts) : tree(kernel), loops(tree) {
    for (const DescriptorLoad &load : descriptorLoads(kernel, facts))
      if (std::optional<unsigned> dimension = dimensionAt(load.offset, extentOffset);
          dimension && rankOfDescriptor(*kernel.getArg(load.argument)) > 1)
        extents[load.load] = {load.argument, *dimension};
  }

  std::vector<ArrayDimension> find() {
    for (const Loop *loop : loops.getLoopsInPreorder())
      if (loop->isInnermost() && isShort(*loop))
        noteCount(*loop);
    return {found.begin(), found.end()};
  }

private:
  static bool isShort(const Loop &loop) {
    size_t instructions = 0;
    for (const BasicBlock *block : loop.blocks())
      instructions += block->size();
    return instructions <= mostInstructions;
  }

  // What the condition of an exit compares from outside of the loop: a limit, or what a counter
  // starts with that runs down to 0.
  void noteCount(const Loop &loop) {
    SmallVector<BasicBlock *> exiting;
    loop.getExitingBlocks(exiting);
    for (const BasicBlock *block : exiting)
      if (auto *branch = conditionalBranch(block->getTerminator()))
        if (auto *compared = dyn_cast<ICmpInst>(branch->getCondition()))
          for (Value *operand : compared->operands())
            noteOrigin(operand, loop);
  }

  void noteOrigin(Value *value, const Loop &loop) {
    auto *counter = dyn_cast<PHINode>(value);
    if (counter && counter->getParent() == loop.getHeader()) {
      for (const Use &incoming : counter->incoming_values())
        if (!loop.contains(counter->getIncomingBlock(incoming)))
          noteExtents(incoming, 0);
    } else if (loop.isLoopInvariant(value)) {
      noteExtents(value, 0);
    }
  }

  void noteExtents(Value *value, unsigned depth) {
    constexpr unsigned mostSteps = 8;
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || depth > mostSteps)
      return;
    if (auto known = extents.find(instruction); known != extents.end())
      found.insert(known->second);
    else if (isa<BinaryOperator, CastInst, SelectInst, MinMaxIntrinsic>(instruction))
      for (Value *operand : instruction->operands())
        noteExtents(operand, depth + 1);
  }

  DominatorTree tree;
  LoopInfo loops;
  DenseMap<const Instruction *, ArrayDimension> extents;
  SetVector<ArrayDimension> found;
};

} // namespace

std::vector<ArrayDimension> innerExtents(Function &kernel, const KernelFacts &facts) {
  return InnerExtents(kernel, facts).find();
}

void assumeExtents(Function &kernel, const KernelFacts &facts,
                   const std::vector<ArrayDimension> &dimensions, int64_t extent) {
  for (const DescriptorLoad &load : descriptorLoads(kernel, facts))
    if (std::optional<unsigned> dimension = dimensionAt(load.offset, extentOffset);
        dimension && load.load->getType()->isIntegerTy(64) &&
        is_contained(dimensions, ArrayDimension{load.argument, *dimension}))
      load.load->replaceAllUsesWith(ConstantInt::getSigned(load.load->getType(), extent));
}

} // namespace cufc
