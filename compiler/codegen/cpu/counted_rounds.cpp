// A warp goes through a row:
//
//   do k = lane + 1, n, 32                     do k = lane + 1, while the first lane goes on
//     y(k) = a(k) + __shfl_xor(a(k), 1)   =>     y(k) = a(k) + __shfl_xor(a(k), 1)
//   end do                                     end do
//
// The rounds of a loop are counted from a number of the thread's own, by a step and up to a bound
// that are the same for all, so that nobody can tell from the code that threads which meet in the
// loop run it equally often. Where they do, as each time that n is a multiple of 32, the counter of
// the first of them does for all. Whether they do follows from what a block knows when it starts:
// its size and place, and the kernel's arguments.
#include "codegen/cpu/counted_rounds.h"
#include "codegen/branches.h"
#include "codegen/cpu/lane_operations.h"
#include "codegen/cpu/sync_operations.h"
#include "cufrt/abi.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr size_t mostOperations = 64;  // from what a block knows to a number of a thread
constexpr unsigned indexArguments = 3; // x, y and z: the last arguments of a thread's function

// What a number is computed from, if nothing but a block's record, its arguments and the thread's
// index is needed.
class Formula {
public:
  explicit Formula(Value *value) : value(value) { isKnown = add(value); }

  explicit operator bool() const { return isKnown; }
  bool isOfThread() const { return ofThread; }

  // Once more, for another thread.
  Value *compute(IRBuilder<> &builder, ValueToValueMapTy &map) const {
    for (Instruction *operation : operations) {
      if (map.count(operation))
        continue;
      Instruction *copy = operation->clone();
      for (Use &operand : copy->operands())
        if (auto mapped = map.find(operand); mapped != map.end())
          operand.set(mapped->second);
      copy->setDebugLoc({});
      builder.Insert(copy);
      map[operation] = copy;
    }
    auto found = map.find(value);
    return found == map.end() ? value : static_cast<Value *>(found->second);
  }

private:
  bool add(Value *part) {
    if (isa<Constant>(part))
      return true;
    if (auto *argument = dyn_cast<Argument>(part)) {
      ofThread |= argument->getArgNo() >= laneArgument;
      return true;
    }
    auto *operation = dyn_cast<Instruction>(part);
    if (!operation || operations.size() >= mostOperations)
      return false;
    if (operations.contains(operation))
      return true;
    if (auto *load = dyn_cast<LoadInst>(operation)) {
      if (!load->hasMetadata(LLVMContext::MD_invariant_load))
        return false;
    } else if (auto *call = dyn_cast<IntrinsicInst>(operation)) {
      if (!isa<MinMaxIntrinsic>(call))
        return false;
    } else if (!isa<BinaryOperator, CastInst, ICmpInst, SelectInst, GetElementPtrInst, FreezeInst>(
                   operation)) {
      return false;
    }
    if (!all_of(operation->operands(), [&](Use &operand) { return add(operand); }))
      return false;
    operations.insert(operation); // behind what it needs
    return true;
  }

  Value *value;
  SmallSetVector<Instruction *, 16> operations;
  bool isKnown, ofThread = false;
};

// A loop that goes on while its counter, by steps from a number of the thread's own, is on one side
// of a bound.
struct Count {
  Loop *loop;
  ICmpInst *test;
  PHINode *counter;
  BinaryOperator *next;
  bool isOfWarp; // only the lanes of a warp meet in it
};

std::optional<Count> countOf(Loop &loop, bool isOfWarp) {
  BasicBlock *before = loop.getLoopPreheader(), *latch = loop.getLoopLatch();
  auto *branch = conditionalBranch(loop.getHeader()->getTerminator());
  auto *test = branch ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!before || !latch || !test || !test->hasOneUse() || !test->isSigned() ||
      loop.contains(branch->getSuccessor(0)) == loop.contains(branch->getSuccessor(1)))
    return std::nullopt;
  for (unsigned side : {0u, 1u}) {
    auto *counter = dyn_cast<PHINode>(test->getOperand(side));
    if (!counter || counter->getParent() != loop.getHeader() ||
        !loop.isLoopInvariant(test->getOperand(1 - side)))
      continue;
    auto *next = dyn_cast<BinaryOperator>(counter->getIncomingValueForBlock(latch));
    if (!next || (next->getOpcode() != Instruction::Add && next->getOpcode() != Instruction::Sub) ||
        next->getOperand(0) != counter || !loop.isLoopInvariant(next->getOperand(1)))
      return std::nullopt;
    return Count{&loop, test, counter, next, isOfWarp};
  }
  return std::nullopt;
}

// All that the check computes.
struct Formulas {
  Formula start, bound, step;
};

class Assumption {
public:
  Assumption(Function &thread, StringRef name)
      : thread(thread), name(name), dominators(thread), loops(dominators) {
    for (Loop *loop : loops)
      simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, /*PreserveLCSSA=*/false);
  }

  CountedRounds run() {
    if (!find())
      return {};
    Function *fits = makeCheck();
    for (const Count &count : counts)
      replace(count);
    return {&thread, fits};
  }

private:
  bool find() {
    for (Loop *loop : loops.getLoopsInPreorder()) {
      bool meets = false, ofWarp = true;
      for (BasicBlock *block : loop->blocks())
        for (Instruction &instruction : *block)
          if (auto *call = dyn_cast<CallBase>(&instruction))
            if (std::optional<SyncOperation> operation = syncOperation(*call)) {
              meets = true;
              ofWarp &= operation->kind > CUFRT_BARRIER_COUNT;
            }
      std::optional<Count> count = meets ? countOf(*loop, ofWarp) : std::nullopt;
      if (count && isComputable(*count))
        counts.push_back(*count);
    }
    return !counts.empty();
  }

  static Value *boundOf(const Count &count) {
    return count.test->getOperand(count.test->getOperand(0) == count.counter ? 1 : 0);
  }

  static Formulas formulasOf(const Count &count) {
    Value *start = count.counter->getIncomingValueForBlock(count.loop->getLoopPreheader());
    return {Formula(start), Formula(boundOf(count)), Formula(count.next->getOperand(1))};
  }

  static bool isComputable(const Count &count) {
    Formulas all = formulasOf(count);
    return all.start && all.start.isOfThread() && all.bound && all.step &&
           !all.bound.isOfThread() && !all.step.isOfThread();
  }

  // The thread whose counter is taken for the others that meet.
  void mapIndex(IRBuilder<> &builder, const Count &count, ArrayRef<Value *> index,
                ValueToValueMapTy &map) const {
    for (unsigned d = 0; d < indexArguments; ++d)
      map[thread.getArg(laneArgument + d)] =
          !count.isOfWarp ? builder.getInt32(0)
          : d == 0        ? builder.CreateAnd(index[0], builder.getInt32(~(lanesOfWarp - 1)))
                          : index[d];
  }

  void replace(const Count &count) {
    IRBuilder<> builder(count.loop->getLoopPreheader()->getTerminator());
    ValueToValueMapTy map;
    mapIndex(builder, count,
             {thread.getArg(laneArgument), thread.getArg(laneArgument + 1),
              thread.getArg(laneArgument + 2)},
             map);
    Value *start = formulasOf(count).start.compute(builder, map);
    builder.SetInsertPoint(count.counter);
    PHINode *common = builder.CreatePHI(count.counter->getType(), 2);
    builder.SetInsertPoint(count.next);
    Value *next = builder.CreateBinOp(count.next->getOpcode(), common, count.next->getOperand(1));
    common->addIncoming(start, count.loop->getLoopPreheader());
    common->addIncoming(next, count.loop->getLoopLatch());
    count.test->replaceUsesOfWith(count.counter, common);
  }

  // How often a loop runs, in 64 bits: -1 where that is not clear.
  Value *rounds(IRBuilder<> &builder, const Count &count, Value *start, Value *bound, Value *step) {
    Type *wide = builder.getInt64Ty();
    const bool counterIsLeft = count.test->getOperand(0) == count.counter;
    const bool goesOnIfTrue = count.loop->contains(
        conditionalBranch(count.loop->getHeader()->getTerminator())->getSuccessor(0));
    CmpInst::Predicate order = count.test->getPredicate();
    if (!counterIsLeft)
      order = CmpInst::getSwappedPredicate(order);
    if (!goesOnIfTrue)
      order = CmpInst::getInversePredicate(order);
    const bool goesUp = order == CmpInst::ICMP_SLT || order == CmpInst::ICMP_SLE;
    const bool isInclusive = order == CmpInst::ICMP_SLE || order == CmpInst::ICMP_SGE;
    start = builder.CreateSExt(start, wide);
    bound = builder.CreateSExt(bound, wide);
    step = builder.CreateSExt(step, wide);
    if ((count.next->getOpcode() == Instruction::Sub) == goesUp)
      step = builder.CreateNeg(step); // towards the bound
    Value *distance = goesUp ? builder.CreateSub(bound, start) : builder.CreateSub(start, bound);
    if (isInclusive)
      distance = builder.CreateAdd(distance, builder.getInt64(1));
    distance = builder.CreateBinaryIntrinsic(Intrinsic::smax, distance, builder.getInt64(0));
    Value *isClear = builder.CreateICmpSGT(step, builder.getInt64(0));
    Value *divisor = builder.CreateSelect(isClear, step, builder.getInt64(1));
    Value *sum = builder.CreateAdd(distance, builder.CreateSub(divisor, builder.getInt64(1)));
    return builder.CreateSelect(isClear, builder.CreateUDiv(sum, divisor), builder.getInt64(-1));
  }

  Value *isEqual(IRBuilder<> &builder, const Count &count, ArrayRef<Value *> index,
                 ValueToValueMapTy &known) {
    Formulas formulas = formulasOf(count);
    ValueToValueMapTy own, common;
    for (const auto &[from, to] : known) {
      own[from] = to;
      common[from] = to;
    }
    for (unsigned d = 0; d < indexArguments; ++d)
      own[thread.getArg(laneArgument + d)] = index[d];
    mapIndex(builder, count, index, common);
    Value *bound = formulas.bound.compute(builder, own),
          *step = formulas.step.compute(builder, own);
    Value *one = rounds(builder, count, formulas.start.compute(builder, own), bound, step);
    Value *other = rounds(builder, count, formulas.start.compute(builder, common), bound, step);
    return builder.CreateAnd(builder.CreateICmpEQ(one, other),
                             builder.CreateICmpSGE(one, builder.getInt64(0)));
  }

  // i32 (ptr block, ptr arguments): over all threads of the block.
  Function *makeCheck() {
    LLVMContext &context = thread.getContext();
    Type *pointer = PointerType::get(context, 0), *number = Type::getInt32Ty(context);
    Function *check = Function::Create(FunctionType::get(number, {pointer, pointer}, false),
                                       GlobalValue::InternalLinkage, name, thread.getParent());
    ValueToValueMapTy known;
    for (unsigned i = 0; i < 2; ++i) {
      check->getArg(i)->addAttr(Attribute::NoAlias);
      known[thread.getArg(i)] = check->getArg(i);
    }
    IRBuilder<> builder(BasicBlock::Create(context, "entry", check));
    Value *sizes[indexArguments];
    for (unsigned d = 0; d < indexArguments; ++d)
      sizes[d] =
          builder.CreateLoad(number, builder.CreateConstInBoundsGEP1_64(
                                         builder.getInt8Ty(), check->getArg(0),
                                         offsetof(cufrt_block, block_dim) + sizeof(int32_t) * d));
    Value *threads = builder.CreateMul(builder.CreateMul(sizes[0], sizes[1]), sizes[2]);
    BasicBlock *entry = builder.GetInsertBlock();
    BasicBlock *each = BasicBlock::Create(context, "thread", check),
               *end = BasicBlock::Create(context, "end", check);
    builder.CreateBr(each);
    builder.SetInsertPoint(each);
    PHINode *i = builder.CreatePHI(number, 2);
    Value *row = builder.CreateUDiv(i, sizes[0]);
    Value *index[] = {builder.CreateURem(i, sizes[0]), builder.CreateURem(row, sizes[1]),
                      builder.CreateUDiv(row, sizes[1])};
    Value *good = builder.getTrue();
    for (const Count &count : counts)
      good = builder.CreateAnd(good, isEqual(builder, count, index, known));
    Value *next = builder.CreateNUWAdd(i, builder.getInt32(1));
    i->addIncoming(builder.getInt32(0), entry);
    i->addIncoming(next, each);
    builder.CreateCondBr(builder.CreateAnd(good, builder.CreateICmpULT(next, threads)), each, end);
    builder.SetInsertPoint(end);
    builder.CreateRet(builder.CreateZExt(good, number));
    return check;
  }

  Function &thread;
  StringRef name;
  DominatorTree dominators;
  LoopInfo loops;
  std::vector<Count> counts;
};

} // namespace

CountedRounds assumeEqualCounts(Function &thread, StringRef name) {
  ValueToValueMapTy map;
  Function *copy = CloneFunction(&thread, map);
  CountedRounds equal = Assumption(*copy, name).run();
  if (!equal.thread)
    copy->eraseFromParent();
  return equal;
}

} // namespace cufc
