//   for z: for y: for x: body(x + 8*y + 64*z)
//
// becomes, in blocks of 8 x 8 threads or of 8 x 8 x any number,
//
//   for x from 0 to the number of threads: body(x)
//
// by the ends of the loops, which are chosen when the block is known. The factors may be numbers or
// products of the block's extents. Threads between barriers run in any order, and here they do so
// in the order in which they ran (CUDA C++ programming guide, "Thread Hierarchy").
#include "codegen/cpu/thread_lines.h"
#include "codegen/cpu/thread_bounds.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

class Lines {
public:
  Lines(Loop &threads, ScalarEvolution &evolution) : threads(threads), evolution(evolution) {}

  bool run() {
    readNest();
    // Without y there is nothing to join, and z is not joined without it.
    while (nest.size() > 1 && !isUsed(nest.back()))
      nest.pop_back();
    if (nest.size() < 2 ||
        !all_of(nest,
                [&](const PlainThreadLoop &loop) {
                  return nestLoops[nest.size() - 1]->isLoopInvariant(loop.test->getOperand(1)) &&
                         followUses(*loop.x);
                }) ||
        numbers.empty())
      return false;
    join();
    return true;
  }

private:
  // The loops over x, y and z, from the innermost one on.
  void readNest() {
    for (Loop *loop = &threads; loop && nest.size() < 3; loop = loop->getParentLoop()) {
      PlainThreadLoop plain = readThreadLoop(*loop);
      if (!plain.x || !match(plain.first(), m_Zero()) || (loop != &threads && !isAlone(*loop)))
        break;
      nest.push_back(plain);
      nestLoops.push_back(loop);
    }
  }

  // Beside the loop within nothing is done but computed.
  static bool isAlone(const Loop &loop) {
    if (loop.getSubLoops().size() != 1)
      return false;
    const Loop &inner = *loop.getSubLoops().front();
    return all_of(loop.blocks(), [&](const BasicBlock *block) {
      return inner.contains(block) || none_of(*block, [](const Instruction &instruction) {
               return !isa<DbgInfoIntrinsic>(instruction) &&
                      (instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects());
             });
    });
  }

  bool isCounter(const Instruction &instruction) const {
    return any_of(nest, [&](const PlainThreadLoop &loop) {
      return &instruction == loop.test || &instruction == loop.x;
    });
  }

  static bool isUsed(const PlainThreadLoop &loop) {
    return any_of(loop.x->users(),
                  [&](const User *user) { return user != loop.test->getOperand(0); }) ||
           !loop.test->getOperand(0)->hasNUses(2);
  }

  // All that is computed of an index leads to numbers of threads, through sums and products alone.
  bool followUses(Instruction &value) {
    for (User *user : value.users()) {
      auto *instruction = cast<Instruction>(user);
      if (isCounter(*instruction) || !followed.insert(instruction).second)
        continue;
      switch (instruction->getOpcode()) {
      case Instruction::Add:
      case Instruction::Sub:
      case Instruction::Mul:
      case Instruction::Shl:
      case Instruction::SExt:
      case Instruction::ZExt:
      case Instruction::Trunc:
        break;
      default:
        return false;
      }
      if (!readNumber(*instruction) && !followUses(*instruction))
        return false;
    }
    return true;
  }

  // Whether a value is x + factor*y + factor*z and something that is the same for all threads,
  // where the factors are numbers, which the block's extents may be, or these themselves.
  bool readNumber(Instruction &value) {
    const SCEV *sum = evolution.getSCEV(&value), *extents = evolution.getOne(value.getType());
    SmallVector<const SCEVConstant *, 3> factors;
    for (unsigned direction = 0; direction < nest.size(); ++direction) {
      auto *index = dyn_cast<SCEVAddRecExpr>(sum);
      if (!index || index->getLoop() != nestLoops[direction] || !index->isAffine())
        return false;
      const SCEV *factor = index->getStepRecurrence(evolution);
      factors.push_back(factor == extents ? nullptr : dyn_cast<SCEVConstant>(factor));
      if (factor != extents && (direction == 0 || !factors.back()))
        return false;
      const SCEV *extent = evolution.getSCEV(nest[direction].test->getOperand(1));
      extents =
          evolution.getMulExpr(extents, evolution.getTruncateOrZeroExtend(extent, value.getType()));
      sum = index->getStart();
    }
    if (!evolution.isLoopInvariant(sum, nestLoops[nest.size() - 1]))
      return false;
    numbers.push_back(std::move(factors));
    return true;
  }

  void join() {
    IRBuilder<> builder(nest.back().preheader->getTerminator());
    Value *isOneLine = builder.getTrue(), *count = builder.getInt32(1);
    for (unsigned direction = 0; direction < nest.size(); ++direction) {
      for (ArrayRef<const SCEVConstant *> factors : numbers)
        if (const SCEVConstant *factor = factors[direction])
          isOneLine = builder.CreateAnd(
              isOneLine, builder.CreateICmpEQ(builder.CreateZExt(count, factor->getType()),
                                              factor->getValue()));
      count = builder.CreateMul(count, nest[direction].test->getOperand(1));
    }
    for (const PlainThreadLoop &loop : nest)
      loop.setEnd(builder.CreateSelect(isOneLine,
                                       loop.x == nest.front().x ? count : builder.getInt32(1),
                                       loop.test->getOperand(1)));
    for (Loop *loop : nestLoops)
      evolution.forgetLoop(loop);
  }

  Loop &threads;
  ScalarEvolution &evolution;
  SmallVector<PlainThreadLoop, 3> nest; // over x, y and z
  SmallVector<Loop *, 3> nestLoops;     // the same, and one that has no part in it
  SmallPtrSet<const Instruction *, 16> followed;
  // The factors of x, y and z in each; null for products of the block's extents.
  SmallVector<SmallVector<const SCEVConstant *, 3>> numbers;
};

} // namespace

bool joinLines(Loop &threads, ScalarEvolution &evolution) {
  return Lines(threads, evolution).run();
}

} // namespace cufc
