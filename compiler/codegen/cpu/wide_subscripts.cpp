// sext (a + b) becomes sext a + sext b where the sum does not wrap. Device code computes subscripts
// in 32 bits (lower/narrow_indices.cpp) and then extends them; passes that exchange terms, such as
// LICM, forget that they do not wrap, and then LLVM does not see them go up by one.
#include "codegen/cpu/wide_subscripts.h"
#include "codegen/cpu/loop_versions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

namespace cufc {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

class Widener {
public:
  explicit Widener(Function &function) : function(function), wide(function.getContext()) {}

  // Those that are chosen.
  void run(function_ref<bool(const SExtInst &)> isChosen) {
    std::vector<SExtInst *> extensions;
    for (Instruction &instruction : instructions(function))
      if (auto *extension = dyn_cast<SExtInst>(&instruction);
          extension && extension->getType()->isIntegerTy(64) &&
          extension->getSrcTy()->isIntegerTy(32) && staysInType(extension->getOperand(0)) &&
          isChosen(*extension))
        extensions.push_back(extension);
    for (SExtInst *extension : extensions) {
      extension->replaceAllUsesWith(widened(extension->getOperand(0)));
      extension->eraseFromParent();
    }
  }

private:
  static bool staysInType(const Value *value) {
    auto *operation = dyn_cast<OverflowingBinaryOperator>(value);
    return operation && isa<Instruction>(value) && operation->hasNoSignedWrap() &&
           operation->getOpcode() != Instruction::Shl;
  }

  Value *widened(Value *value) {
    if (auto *constant = dyn_cast<ConstantInt>(value))
      return ConstantInt::get(wide.getInt64Ty(), constant->getSExtValue(), /*IsSigned=*/true);
    if (Value *before = known.lookup(value))
      return before;
    Value *result;
    if (staysInType(value)) {
      auto *operation = cast<BinaryOperator>(value);
      Value *left = widened(operation->getOperand(0)), *right = widened(operation->getOperand(1));
      setPlace(value);
      result = wide.CreateBinOp(operation->getOpcode(), left, right);
      if (auto *same = dyn_cast<BinaryOperator>(result))
        same->setHasNoSignedWrap();
    } else {
      setPlace(value);
      result = wide.CreateSExt(value, wide.getInt64Ty());
    }
    return known[value] = result;
  }

  void setPlace(Value *behind) {
    auto *instruction = dyn_cast<Instruction>(behind);
    std::optional<BasicBlock::iterator> after;
    if (instruction)
      after = instruction->getInsertionPointAfterDef();
    if (after)
      wide.SetInsertPoint(*after);
    else
      wide.SetInsertPoint(&*function.getEntryBlock().getFirstInsertionPt());
    wide.SetCurrentDebugLocation(instruction ? instruction->getDebugLoc() : DebugLoc());
  }

  Function &function;
  IRBuilder<> wide;
  DenseMap<Value *, Value *> known;
};

// The step of a counter that does not wrap; null if it is another.
Value *stepOf(PHINode &counter, const Loop &loop) {
  auto *next = dyn_cast<BinaryOperator>(counter.getIncomingValueForBlock(loop.getLoopLatch()));
  Value *step = nullptr;
  bool counts = next && match(next, m_c_Add(m_Specific(&counter), m_Value(step))) &&
                next->hasNoSignedWrap() && loop.isLoopInvariant(step);
  return counts ? step : nullptr;
}

// counter == last, of the counter itself.
void compareWide(PHINode &counter, PHINode &wide, const Loop &loop) {
  for (User *user : make_early_inc_range(counter.users())) {
    auto *compare = dyn_cast<ICmpInst>(user);
    if (!compare || !compare->isEquality() || !loop.contains(compare))
      continue;
    Value *other = compare->getOperand(compare->getOperand(0) == &counter ? 1 : 0);
    if (!loop.isLoopInvariant(other))
      continue;
    IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
    Value *wideOther = builder.CreateSExt(other, wide.getType());
    compare->setOperand(0, &wide);
    compare->setOperand(1, wideOther);
  }
}

void replaceCounter(PHINode &counter, Value *step, const Loop &loop) {
  BasicBlock *before = loop.getLoopPreheader(), *latch = loop.getLoopLatch();
  auto *next = cast<Instruction>(counter.getIncomingValueForBlock(latch));
  IRBuilder<> builder(before->getTerminator());
  Type *type = builder.getInt64Ty();
  Value *first = builder.CreateSExt(counter.getIncomingValueForBlock(before), type);
  Value *wideStep = builder.CreateSExt(step, type);
  builder.SetInsertPoint(&counter);
  PHINode *wide = builder.CreatePHI(type, 2);
  builder.SetInsertPoint(latch->getTerminator());
  wide->addIncoming(first, before);
  wide->addIncoming(builder.CreateNSWAdd(wide, wideStep), latch);
  for (User *user : make_early_inc_range(counter.users()))
    if (auto *extension = dyn_cast<SExtInst>(user); extension && extension->getType() == type) {
      extension->replaceAllUsesWith(wide);
      extension->eraseFromParent();
    }
  compareWide(counter, *wide, loop);
  builder.SetInsertPoint(loop.getHeader(), loop.getHeader()->getFirstInsertionPt());
  counter.replaceAllUsesWith(builder.CreateTrunc(wide, counter.getType(), "", false, true));
  counter.eraseFromParent();
  if (next->use_empty())
    next->eraseFromParent();
}

} // namespace

void widenSubscripts(Function &function) {
  Widener(function).run([](const SExtInst &) { return true; });
}

void widenSubscripts(Loop &loop) {
  Widener(*loop.getHeader()->getParent()).run([&](const SExtInst &extension) {
    return loop.contains(&extension);
  });
}

namespace {

// The loop over threads in which a number goes up by one from each to the next; null if there is
// none. What all threads load alike may still be in the loop.
const Loop *loopOfNeighbours(Value *value, ScalarEvolution &evolution) {
  auto *sum = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(value));
  while (sum && !isThreadLoop(*sum->getLoop()))
    sum = dyn_cast<SCEVAddRecExpr>(sum->getStart());
  if (sum)
    return sum->getStepRecurrence(evolution)->isOne() ? sum->getLoop() : nullptr;
  auto *operation = dyn_cast<OverflowingBinaryOperator>(value);
  if (!operation || !operation->hasNoSignedWrap())
    return nullptr;
  auto plusSame = [&](Value *index, Value *other) -> const Loop * {
    const Loop *loop = loopOfNeighbours(index, evolution);
    auto *load = dyn_cast<LoadInst>(other);
    Value *read = load && load->isSimple() ? load->getPointerOperand() : other;
    return loop && evolution.isLoopInvariant(evolution.getSCEV(read), loop) ? loop : nullptr;
  };
  Value *left = operation->getOperand(0), *right = operation->getOperand(1);
  if (operation->getOpcode() == Instruction::Add)
    if (const Loop *loop = plusSame(right, left))
      return loop;
  return is_contained({Instruction::Add, Instruction::Sub}, operation->getOpcode())
             ? plusSame(left, right)
             : nullptr;
}

} // namespace

void widenNeighbours(Function &function, ScalarEvolution &evolution) {
  auto goesUpByOne = [&](const SExtInst &extension) {
    return loopOfNeighbours(extension.getOperand(0), evolution) != nullptr;
  };
  auto isDifference = [&](const User *user) { // of bounds, such as i - w and i + w
    return user->getType()->isIntegerTy() &&
           cast<Instruction>(user)->getOpcode() == Instruction::Sub &&
           all_of(user->operands(), [&](const Use &bound) {
             auto *extension = dyn_cast<SExtInst>(bound);
             return extension && goesUpByOne(*extension);
           });
  };
  Widener(function).run([&](const SExtInst &extension) {
    return (all_of(extension.users(), IsaPred<GetElementPtrInst>) && goesUpByOne(extension)) ||
           any_of(extension.users(), isDifference);
  });
}

void widenCounter(Loop &loop) {
  if (!loop.getLoopPreheader() || !loop.getLoopLatch())
    return;
  for (PHINode &counter : make_early_inc_range(loop.getHeader()->phis()))
    if (Value *step = counter.getType()->isIntegerTy(32) ? stepOf(counter, loop) : nullptr)
      replaceCounter(counter, step, loop);
}

} // namespace cufc
