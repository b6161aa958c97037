//   for x:                                     for x in 0..from and to..size:  (as written)
//     i = first + x                      =>
//     a(i == 1 ? n : i - 1) = ...              for x in from..to:
//     a(i == n ? 1 : i + 1) = ...                a(i - 1) = ...; a(i + 1) = ...
//
// of long loops, as of lattices with periodic ends: thread_splits.cpp makes two copies for each
// condition; here all of them divide the loop at once, and one copy, which is not worth vectors,
// has the few threads before and behind.
#include "codegen/branches.h"
#include "codegen/cpu/loop_versions.h"
#include "codegen/cpu/thread_bounds.h"
#include "codegen/cpu/thread_passes.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr size_t leastInstructions = 160; // of shorter ones, thread_splits.cpp makes copies
constexpr size_t mostInstructions = 1200;
constexpr int longestSubscript = 6; // of operations, from an index to an address

// Whether an integer becomes part of an address.
bool isSubscript(const Value &value, int operations = longestSubscript) {
  return operations > 0 && any_of(value.users(), [&](const User *user) {
           return isa<GetElementPtrInst>(user) ||
                  (isa<CastInst, BinaryOperator, SelectInst, MinMaxIntrinsic>(user) &&
                   user->getType()->isIntegerTy() && isSubscript(*user, operations - 1));
         });
}

class ClampedLoop {
public:
  ClampedLoop(Loop &loop, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution)
      : loop(loop), loops(loops), dominators(dominators), evolution(evolution),
        bounds(loop, evolution) {}

  bool run() {
    const size_t size = instructionsOf(loop);
    if (!loop.isInnermost() || size <= leastInstructions || size > mostInstructions)
      return false;
    plain = readThreadLoop(loop);
    if (!plain.x)
      return false;
    findClamps();
    if (clamps.empty())
      return false;
    divide();
    return true;
  }

private:
  void findClamps() {
    for (BasicBlock *block : loop.blocks())
      if (dominators.dominates(block, plain.latch)) // in others, sums may leave their types
        for (Instruction &instruction : make_early_inc_range(*block)) {
          if (!instruction.getType()->isIntegerTy() || !isSubscript(instruction))
            continue;
          if (auto *select = dyn_cast<SelectInst>(&instruction))
            addClamp(*select);
          else if (auto *limited = dyn_cast<MinMaxIntrinsic>(&instruction))
            addLimit(*limited);
        }
  }

  // An index, or what is the same for all threads where the index is outside.
  void addClamp(SelectInst &select) {
    auto *compare = dyn_cast<ICmpInst>(select.getCondition());
    Value *yes = indexOf(select.getTrueValue()), *no = indexOf(select.getFalseValue());
    const bool isTrue = goesUp(*yes);
    if (!compare || isTrue == goesUp(*no) || !loop.isLoopInvariant(isTrue ? no : yes))
      return;
    Value *left = indexOf(compare->getOperand(0)), *right = indexOf(compare->getOperand(1));
    ICmpInst::Predicate predicate = compare->getPredicate();
    if (!goesUp(*left)) {
      std::swap(left, right);
      predicate = ICmpInst::getSwappedPredicate(predicate);
    }
    if (!goesUp(*left))
      return;
    if (!isTrue)
      predicate = ICmpInst::getInversePredicate(predicate);
    if (predicate == ICmpInst::ICMP_NE)
      predicate = sideOf(*left, *right, isTrue ? *yes : *no);
    addBound(select, isTrue ? yes : no, predicate, left, right);
  }

  // min(index, limit) or max(index, limit)
  void addLimit(MinMaxIntrinsic &limited) {
    Value *left = indexOf(limited.getLHS()), *right = indexOf(limited.getRHS());
    if (!goesUp(*left))
      std::swap(left, right);
    if (goesUp(*left) && loop.isLoopInvariant(right))
      addBound(limited, left, ICmpInst::getNonStrictPredicate(limited.getPredicate()), left, right);
  }

  void addBound(Instruction &clamp, Value *index, ICmpInst::Predicate predicate, Value *left,
                Value *right) {
    auto *isInside = new ICmpInst(clamp.getIterator(), predicate, left, right);
    if (predicate != ICmpInst::ICMP_EQ && bounds.add(isInside, /*isTrue=*/true))
      clamps.push_back({&clamp, index});
    comparisons.push_back(isInside);
  }

  // i /= n is i < n for i + 1, i /= 1 is i > 1 for i - 1; the copy has what else there may be.
  ICmpInst::Predicate sideOf(Value &left, Value &right, Value &index) const {
    auto *distance = dyn_cast<SCEVConstant>(
        evolution.getMinusSCEV(evolution.getSCEV(&index), evolution.getSCEV(&left)));
    const bool isBefore = distance && !distance->isZero()
                              ? distance->getAPInt().isStrictlyPositive()
                              : !isa<Constant>(right);
    return isBefore ? ICmpInst::ICMP_SLT : ICmpInst::ICMP_SGT;
  }

  // Behind a clamp that has been found: that of i to n, and then to 1.
  Value *indexOf(Value *value) const {
    for (const Clamp &clamp : clamps)
      if (clamp.clamp == value)
        return clamp.index;
    return value;
  }

  bool goesUp(Value &value) const {
    auto *sum = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(&value));
    return sum && sum->getLoop() == &loop;
  }

  void divide() {
    BasicBlock *before = plain.preheader;
    Value *first = plain.first(), *end = plain.test->getOperand(1);
    ThreadBounds::Range range = bounds.range(*before, first, end);
    IRBuilder<> builder(before->getTerminator());
    Value *runs = builder.CreateAnd(range.runs, builder.CreateNot(range.mayWrap));
    auto [from, to] = partOf(builder, range, runs, first, end);

    BasicBlock *inside = SplitEdge(before, loop.getHeader(), &dominators, &loops);
    plain.preheader = inside;
    ValueToValueMapTy map;
    BasicBlock *start = copyAsWritten(loop, inside, before, loops, dominators, &map);
    BasicBlock *middle = guardOfRange(from, to, inside, plain.exit);
    Value *copyFirst = skip(*before, first, from, to);
    skipInside(map, *start, copyFirst, from, to);
    cast<BasicBlock>(map.lookup(plain.latch))
        ->getTerminator()
        ->replaceSuccessorWith(plain.exit, middle);
    BasicBlock *outside = guardOfRange(copyFirst, end, start, middle);
    before->getTerminator()->eraseFromParent();
    IRBuilder<>(before).CreateBr(outside);

    plain.setFirst(from);
    plain.setEnd(to);
    for (const Clamp &clamp : clamps)
      clamp.clamp->replaceAllUsesWith(clamp.index);
    bounds.replaceIndices(plain);
    for (const Clamp &clamp : clamps)
      clamp.clamp->eraseFromParent();
    for (Instruction *comparison : comparisons)
      if (comparison->use_empty())
        comparison->eraseFromParent();
  }

  // `x`, or `to` in place of `from`.
  static Value *skip(BasicBlock &place, Value *x, Value *from, Value *to) {
    IRBuilder<> builder(place.getTerminator());
    return builder.CreateSelect(builder.CreateICmpEQ(x, from), to, x);
  }

  void skipInside(ValueToValueMapTy &map, BasicBlock &start, Value *first, Value *from, Value *to) {
    auto *x = cast<PHINode>(map.lookup(plain.x));
    auto *latch = cast<BasicBlock>(map.lookup(plain.latch));
    auto *test = cast<ICmpInst>(map.lookup(plain.test));
    x->setIncomingValueForBlock(&start, first);
    Value *next = skip(*latch, x->getIncomingValueForBlock(latch), from, to);
    x->setIncomingValueForBlock(latch, next);
    test->moveBefore(latch->getTerminator()->getIterator());
    test->setOperand(0, next);
  }

  struct Clamp {
    Instruction *clamp;
    Value *index; // where it is inside
  };

  Loop &loop;
  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  PlainThreadLoop plain;
  ThreadBounds bounds;
  std::vector<Clamp> clamps;
  std::vector<Instruction *> comparisons; // made for the bounds
};

} // namespace

bool divideAtClamps(Loop &threads, LoopInfo &loops, DominatorTree &dominators,
                    ScalarEvolution &evolution) {
  return ClampedLoop(threads, loops, dominators, evolution).run();
}

} // namespace cufc
