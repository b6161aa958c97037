// All is computed from the distance of x to the loop's first one, since that is what scalar
// evolution knows: start + k, where x is the first one and k more, or start + k*2 and its like, as
// of points of one colour, or start - k, as of diagonals. Multiples of d, as in trees of threads,
// are x in steps of d: the first is the next multiple. So are the points of one colour, i + j of
// which d leaves a certain rest.
#include "codegen/cpu/thread_bounds.h"
#include "codegen/branches.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"

namespace cufc {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr uint64_t largestStride = 64;
constexpr int64_t mostThreads = 1 << 30; // more than a block has: sums of two stay in 32 bits

Value *least(IRBuilder<> &builder, Value *a, Value *b) {
  return builder.CreateBinaryIntrinsic(Intrinsic::smin, a, b);
}

Value *greatest(IRBuilder<> &builder, Value *a, Value *b) {
  return builder.CreateBinaryIntrinsic(Intrinsic::smax, a, b);
}

// The least k with k*stride >= distance, and the greatest with k*stride <= distance.
Value *quotientAbove(IRBuilder<> &builder, Value *distance, unsigned logStride) {
  if (logStride == 0)
    return distance;
  Value *most = builder.getInt64((int64_t{1} << logStride) - 1);
  return builder.CreateAShr(builder.CreateBinaryIntrinsic(Intrinsic::sadd_sat, distance, most),
                            logStride);
}
Value *quotientBelow(IRBuilder<> &builder, Value *distance, unsigned logStride) {
  return logStride == 0 ? distance : builder.CreateAShr(distance, logStride);
}

// Phis behind the loop only pass on what is older.
bool dropPhis(const Loop &loop, BasicBlock &behind) {
  for (PHINode &phi : make_early_inc_range(behind.phis())) {
    Value *value = phi.hasConstantValue();
    if (!value || !loop.isLoopInvariant(value))
      return false;
    phi.replaceAllUsesWith(value);
    phi.eraseFromParent();
  }
  return true;
}

// By its form: scalar evolution cannot be asked while the loop is being divided.
bool isSameForAll(const Value &value, const Loop &loop, int operations = 6) {
  return loop.isLoopInvariant(&value) ||
         (operations > 0 && isa<BinaryOperator, CastInst>(value) &&
          all_of(cast<Instruction>(value).operands(),
                 [&](const Use &operand) { return isSameForAll(*operand, loop, operations - 1); }));
}

// Of numbers of threads, which take 32 bits: processors divide those several times as fast. Before
// a loop that runs, both are such numbers.
Value *threadsLeft(IRBuilder<> &builder, Value *value, Value *divisor) {
  Type *narrow = builder.getInt32Ty();
  Value *rest =
      builder.CreateURem(builder.CreateTrunc(value, narrow), builder.CreateTrunc(divisor, narrow));
  return builder.CreateZExt(rest, builder.getInt64Ty());
}

} // namespace

bool isUsedBehind(Loop &loop) {
  BasicBlock *behind = loop.getExitBlock();
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      SmallVector<Use *> uses;
      for (Use &use : instruction.uses())
        if (!loop.contains(cast<Instruction>(use.getUser())))
          uses.push_back(&use);
      if (uses.empty())
        continue;
      if (!behind || !loop.hasLoopInvariantOperands(&instruction) || isa<PHINode>(instruction) ||
          instruction.mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(&instruction) ||
          any_of(uses, [&](const Use *use) {
            auto *phi = dyn_cast<PHINode>(use->getUser());
            return phi && phi->getParent() == behind;
          }))
        return true;
      Instruction *again = instruction.clone();
      again->insertBefore(behind->getFirstInsertionPt());
      for (Use *use : uses)
        use->set(again);
    }
  return false;
}

PlainThreadLoop readThreadLoop(Loop &loop) {
  PlainThreadLoop plain{loop.getLoopPreheader(), loop.getLoopLatch(), loop.getExitBlock()};
  BasicBlock &header = *loop.getHeader();
  if (!plain.preheader || !plain.latch || !plain.exit || !dropPhis(loop, *plain.exit) ||
      isUsedBehind(loop))
    return {};
  auto *end = conditionalBranch(plain.latch->getTerminator());
  if (!end || end->getSuccessor(0) != &header)
    return {};
  plain.test = dyn_cast<ICmpInst>(end->getCondition());
  if (!plain.test || plain.test->getPredicate() != ICmpInst::ICMP_SLT || !plain.test->hasOneUse() ||
      !loop.isLoopInvariant(plain.test->getOperand(1)))
    return {};
  auto *x = dyn_cast<PHINode>(&header.front());
  if (!x || !x->getType()->isIntegerTy(32) || isa<PHINode>(x->getNextNode()))
    return {};
  Value *next = x->getIncomingValueForBlock(plain.latch);
  if (next == plain.test->getOperand(0) && match(next, m_c_Add(m_Specific(x), m_One())))
    plain.x = x;
  return plain;
}

void PlainThreadLoop::addToX(Value &number, bool hasNoUnsignedWrap) const {
  BasicBlock &header = *x->getParent();
  IRBuilder<> builder(&header, header.getFirstInsertionPt());
  auto *next = cast<Instruction>(test->getOperand(0));
  auto *sum =
      cast<Instruction>(builder.CreateAdd(&number, x, "", hasNoUnsignedWrap, /*HasNSW=*/true));
  x->replaceUsesWithIf(
      sum, [&](const Use &use) { return use.getUser() != next && use.getUser() != sum; });
  Instruction *nextSum = next->clone(); // where it is used otherwise
  nextSum->replaceUsesOfWith(x, sum);
  nextSum->insertAfter(sum->getIterator());
  next->replaceUsesWithIf(
      nextSum, [&](const Use &use) { return use.getUser() != test && use.getUser() != x; });
}

bool ThreadBounds::leaveOne() const {
  return any_of(bounds, [](const Bound &bound) { return bound.predicate == ICmpInst::ICMP_EQ; });
}

bool ThreadBounds::isKnownBefore(const SCEV *value) const {
  return evolution.isLoopInvariant(value, &loop) &&
         expander.isSafeToExpandAt(value, loop.getLoopPreheader()->getTerminator());
}

bool ThreadBounds::add(Value *condition, bool isTrue) {
  auto *compare = dyn_cast<ICmpInst>(condition);
  if (!compare || !compare->getOperand(0)->getType()->isIntegerTy())
    return false;
  Value *index = compare->getOperand(0);
  const SCEV *left = evolution.getSCEV(index), *right = evolution.getSCEV(compare->getOperand(1));
  ICmpInst::Predicate predicate = isTrue ? compare->getPredicate() : compare->getInversePredicate();
  if (isKnownBefore(left) && isKnownBefore(right)) {
    conditions.push_back({left, right, predicate});
    return true;
  }
  if (addStep(*compare, isTrue))
    return true;
  if (auto *first = dyn_cast<SCEVAddRecExpr>(left); !first || first->getLoop() != &loop) {
    std::swap(left, right);
    index = compare->getOperand(1);
    predicate = ICmpInst::getSwappedPredicate(predicate);
  }
  auto *sum = dyn_cast<SCEVAddRecExpr>(left);
  unsigned bits = index->getType()->getIntegerBitWidth();
  bool isOrder = ICmpInst::isSigned(predicate) || predicate == ICmpInst::ICMP_EQ;
  if (!sum || sum->getLoop() != &loop || !sum->isAffine() || (bits != 32 && bits != 64) ||
      !isOrder || !isKnownBefore(sum->getStart()) || !isKnownBefore(right))
    return false;
  auto *stride = dyn_cast<SCEVConstant>(sum->getStepRecurrence(evolution));
  const bool goesDown = stride && stride->getAPInt().isAllOnes();
  if (!stride || !(goesDown || stride->getAPInt().isPowerOf2()) ||
      (!goesDown && stride->getAPInt().ugt(largestStride)) ||
      (predicate == ICmpInst::ICMP_EQ && !stride->isOne()))
    return false;
  bounds.push_back({index, sum->getStart(), right, predicate, !sum->hasNoSignedWrap(),
                    goesDown ? 0 : stride->getAPInt().logBase2(), goesDown});
  return true;
}

bool ThreadBounds::addStep(ICmpInst &compare, bool isTrue) {
  Value *sum = nullptr, *divisor = nullptr;
  ICmpInst::Predicate equal = isTrue ? ICmpInst::ICMP_EQ : ICmpInst::ICMP_NE;
  if (!steps.empty() || compare.getPredicate() != equal)
    return false;
  const bool isFirst = match(compare.getOperand(0), m_SRem(m_Value(sum), m_Value(divisor)));
  if (!(isFirst || match(compare.getOperand(1), m_SRem(m_Value(sum), m_Value(divisor)))) ||
      !sum->getType()->isIntegerTy(32))
    return false;
  const SCEV *rest = evolution.getSCEV(compare.getOperand(isFirst));
  auto *index = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(sum));
  const SCEV *by = evolution.getSCEV(divisor);
  if (!index || index->getLoop() != &loop || !index->isAffine() ||
      !index->getStepRecurrence(evolution)->isOne() || !isKnownBefore(index->getStart()) ||
      !isKnownBefore(by) || !isKnownBefore(rest))
    return false;
  steps.push_back({index->getStart(), by, rest});
  return true;
}

Value *ThreadBounds::expand(const SCEV *value) {
  return expander.expandCodeFor(value, value->getType(), place->getTerminator());
}

// Narrows the range by one bound; returns whether the sum might leave its type.
Value *ThreadBounds::apply(IRBuilder<> &builder, const Bound &bound, Value *startValue,
                           Range &range) {
  Type *wide = builder.getInt64Ty();
  Value *start = builder.CreateSExt(startValue, wide);
  Value *limit = builder.CreateSExt(expand(bound.limit), wide);
  // start - k >= limit where k <= start - limit.
  const ICmpInst::Predicate predicate =
      bound.goesDown ? ICmpInst::getSwappedPredicate(bound.predicate) : bound.predicate;
  Value *distance = bound.goesDown
                        ? builder.CreateBinaryIntrinsic(Intrinsic::ssub_sat, start, limit)
                        : builder.CreateBinaryIntrinsic(Intrinsic::ssub_sat, limit, start);
  Value *at = builder.CreateBinaryIntrinsic(
      Intrinsic::sadd_sat, quotientAbove(builder, distance, bound.logStride), firstX);
  Value *last = builder.CreateBinaryIntrinsic(
      Intrinsic::sadd_sat, quotientBelow(builder, distance, bound.logStride), firstX);
  Value *after = builder.CreateBinaryIntrinsic(Intrinsic::sadd_sat, last, builder.getInt64(1));
  using Predicate = ICmpInst::Predicate;
  if (predicate == Predicate::ICMP_SLT)
    range.to = least(builder, range.to, at);
  if (predicate == Predicate::ICMP_SLE || predicate == Predicate::ICMP_EQ)
    range.to = least(builder, range.to, after);
  if (predicate == Predicate::ICMP_SGE || predicate == Predicate::ICMP_EQ)
    range.from = greatest(builder, range.from, at);
  if (predicate == Predicate::ICMP_SGT)
    range.from = greatest(builder, range.from, after);
  if (!bound.mayWrap)
    return builder.getFalse();
  unsigned bits = bound.index->getType()->getIntegerBitWidth();
  Value *room = bound.goesDown
                    ? builder.CreateBinaryIntrinsic(
                          Intrinsic::ssub_sat, start,
                          builder.getInt64(APInt::getSignedMinValue(bits).getSExtValue()))
                    : builder.CreateBinaryIntrinsic(
                          Intrinsic::ssub_sat,
                          builder.getInt64(APInt::getSignedMaxValue(bits).getSExtValue()), start);
  return builder.CreateICmpSLT(room, builder.CreateShl(count, bound.logStride));
}

// From the next x for which start + x - first is a multiple.
void ThreadBounds::applyStep(IRBuilder<> &builder, const Step &step, Range &range) {
  Type *wide = builder.getInt64Ty();
  Value *startValue = expand(step.start), *divisorValue = expand(step.divisor);
  Value *restValue = expand(step.rest);
  builder.SetInsertPoint(place->getTerminator());
  Value *start = builder.CreateSExt(startValue, wide);
  Value *divisor = builder.CreateSExt(divisorValue, wide);
  auto isOutside = [&](Value *value, int64_t least) {
    return builder.CreateOr(builder.CreateICmpSLT(value, builder.getInt64(least)),
                            builder.CreateICmpSGE(value, builder.getInt64(mostThreads)));
  };
  for (auto [value, least] : {std::pair(start, 0), {divisor, 1}, {count, 0}})
    range.mayWrap = builder.CreateOr(range.mayWrap, isOutside(value, least));
  range.step = greatest(builder, builder.getInt64(1),
                        least(builder, divisor, builder.getInt64(mostThreads - 1)));
  Value *sum = builder.CreateSub(builder.CreateAdd(start, range.from), firstX);
  Value *rest = builder.CreateSExt(restValue, wide);
  Value *further = builder.CreateSub(rest, threadsLeft(builder, sum, range.step));
  Value *isBehind = builder.CreateICmpSLT(further, builder.getInt64(0));
  further = builder.CreateSelect(isBehind, builder.CreateAdd(further, range.step), further);
  range.from = builder.CreateAdd(range.from, further);
  range.runs = builder.CreateAnd(range.runs, builder.CreateICmpULT(rest, range.step));
}

ThreadBounds::Range ThreadBounds::range(BasicBlock &before, Value *first, Value *end) {
  place = &before;
  for (const Bound &bound : bounds)
    starts.push_back(expand(bound.start));
  IRBuilder<> builder(place->getTerminator());
  firstX = builder.CreateSExt(first, builder.getInt64Ty());
  count = builder.CreateSExt(end, builder.getInt64Ty());
  Range range{firstX, count, builder.getFalse(), builder.getTrue()};
  for (auto [bound, start] : zip(bounds, starts)) {
    builder.SetInsertPoint(place->getTerminator());
    range.mayWrap = builder.CreateOr(range.mayWrap, apply(builder, bound, start, range));
  }
  for (const Step &step : steps)
    applyStep(builder, step, range);
  for (const Condition &condition : conditions) {
    Value *left = expand(condition.left), *right = expand(condition.right);
    builder.SetInsertPoint(place->getTerminator());
    range.runs =
        builder.CreateAnd(range.runs, builder.CreateICmp(condition.predicate, left, right));
  }
  builder.SetInsertPoint(place->getTerminator());
  range.runs = builder.CreateAnd(range.runs, builder.CreateICmpSLT(range.from, range.to));
  return range;
}

void ThreadBounds::replaceIndices(const PlainThreadLoop &plain) {
  BasicBlock &header = *loop.getHeader();
  IRBuilder<> builder(&header, header.getFirstInsertionPt());
  Type *wide = builder.getInt64Ty();
  for (auto [bound, start] : zip(bounds, starts)) {
    auto *index = dyn_cast<Instruction>(bound.index);
    if (!index || index == plain.x || index->use_empty())
      continue;
    Value *distance = builder.CreateShl(
        builder.CreateSub(builder.CreateZExt(plain.x, wide), firstX), bound.logStride);
    bool isNarrow = index->getType()->isIntegerTy(32);
    Value *offset = isNarrow ? builder.CreateTrunc(distance, index->getType()) : distance;
    auto sumOf = [&](Value *first, Value *further) {
      return bound.goesDown ? builder.CreateNSWSub(first, further)
                            : builder.CreateNSWAdd(first, further);
    };
    Value *sum = sumOf(start, offset);
    // threadIdx%x is x + 1, by which the loop goes on, and stays known by that.
    index->replaceUsesWithIf(sum, [&](const Use &use) {
      return use.getUser() != plain.x && use.getUser() != plain.test;
    });
    if (!isNarrow)
      for (User *user : make_early_inc_range(sum->users()))
        if (auto *narrow = dyn_cast<TruncInst>(user);
            narrow && narrow->hasNoSignedWrap() && narrow->getType()->isIntegerTy(32))
          widen(*narrow, sum);
    if (isNarrow && isa<Instruction>(sum))
      widen(*cast<Instruction>(sum), sumOf(builder.CreateSExt(start, wide), distance));
  }
}

// Subscripts are computed in 32 bits and then extended, which LLVM does not see to go up by one.
void ThreadBounds::widen(Instruction &narrow, Value *wide) {
  for (User *user : make_early_inc_range(narrow.users())) {
    auto *result = cast<Instruction>(user);
    if (isa<SExtInst>(result) && result->getType() == wide->getType()) {
      result->replaceAllUsesWith(wide);
      result->eraseFromParent();
      continue;
    }
    auto *sum = dyn_cast<OverflowingBinaryOperator>(result);
    if (!sum || !sum->hasNoSignedWrap() || result->getOpcode() == Instruction::Shl ||
        !loop.contains(result))
      continue;
    unsigned place = result->getOperand(0) == &narrow ? 0 : 1;
    if (!isSameForAll(*result->getOperand(1 - place), loop))
      continue;
    IRBuilder<> builder(result->getNextNode());
    Value *parts[2];
    parts[place] = wide;
    parts[1 - place] = builder.CreateSExt(result->getOperand(1 - place), wide->getType());
    auto operation = static_cast<Instruction::BinaryOps>(result->getOpcode());
    auto *same = BinaryOperator::Create(operation, parts[0], parts[1]);
    builder.Insert(same);
    same->setHasNoSignedWrap();
    widen(*result, same);
  }
}

std::pair<Value *, Value *> partOf(IRBuilder<> &builder, const ThreadBounds::Range &range,
                                   Value *runs, Value *first, Value *end) {
  Value *wideFirst = builder.CreateSExt(first, builder.getInt64Ty());
  Value *wideEnd = builder.CreateSExt(end, builder.getInt64Ty());
  auto between = [&](Value *value, Value *low) {
    Value *limited = least(builder, greatest(builder, value, low), wideEnd);
    return builder.CreateSelect(runs, limited, wideEnd);
  };
  Value *from = between(range.from, wideFirst), *to = between(range.to, from);
  return {builder.CreateTrunc(from, first->getType()), builder.CreateTrunc(to, first->getType())};
}

BasicBlock *guardOfRange(Value *first, Value *end, BasicBlock *inside, BasicBlock *otherwise) {
  BasicBlock *block =
      BasicBlock::Create(inside->getContext(), "range", inside->getParent(), inside);
  IRBuilder<> builder(block);
  builder.CreateCondBr(builder.CreateICmpSLT(first, end), inside, otherwise);
  return block;
}

} // namespace cufc
