// Neighbours on a periodic grid:
//
//   if (i > n) return                    i is in 1:n
//   left = modulo(i - 2, n) + 1          a = i - 2 is in -1:n-2
//   right = modulo(i, n) + 1             a = i is in 1:n
//
// A division takes a GPU some twenty instructions. Where what leads to it (the test above) says
// that -few <= a < n + few, or the same of a - n, the remainder is a, or a - n, or 0 for -n. Where
// it says nothing, a number with a small constant in it is asked whether it is one: the division
// stands in the other branch, as it does where n may be less than `few`.
#include "codegen/gpu/wrapped_numbers.h"
#include "codegen/branches.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr int64_t few = 4;

// What is known of a number a and a divisor n: -below <= a - times*n < n + above, if n >= `least`.
struct Range {
  int64_t below, above;
  bool isOnce;       // times is 1, not 0
  int64_t least = 1; // 0: that is known, too
};

class Remainder {
public:
  Remainder(BinaryOperator &operation, ScalarEvolution &evolution, const DominatorTree &dominators)
      : operation(operation), evolution(evolution), dominators(dominators),
        number(operation.getOperand(0)), divisor(operation.getOperand(1)),
        a(evolution.getSCEV(number)), n(evolution.getSCEV(divisor)) {}

  bool replace() {
    if (isa<Constant>(divisor) || !operation.getType()->isIntegerTy())
      return false;
    IRBuilder<> builder(&operation);
    if (std::optional<Range> range = rangeOf(a, false))
      build(wrap(*range, builder), isSmall(*range, builder));
    else if (std::optional<Range> of = rangeOf(evolution.getMinusSCEV(a, n), true))
      build(wrap(*of, builder), isSmall(*of, builder));
    else if (hasSmallConstant())
      build(wrap({1, 1, false, 0}, builder), isOutside(builder));
    else
      return false;
    return true;
  }

private:
  // By the tests that lead here.
  std::optional<Range> rangeOf(const SCEV *of, bool isOnce) {
    const BasicBlock *block = operation.getParent();
    for (auto *node = dominators.getNode(block); node && node->getIDom(); node = node->getIDom()) {
      const BasicBlock *before = node->getIDom()->getBlock();
      auto *branch = conditionalBranch(before->getTerminator());
      if (!branch || branch->getSuccessor(0) == branch->getSuccessor(1))
        continue;
      for (unsigned i = 0; i < 2; ++i)
        if (dominators.dominates(BasicBlockEdge(before, branch->getSuccessor(i)), block))
          if (std::optional<Range> range = byTest(*branch->getCondition(), i == 0, of, isOnce))
            return range;
    }
    return std::nullopt;
  }

  std::optional<Range> byTest(Value &condition, bool isTrue, const SCEV *of, bool isOnce) {
    Value *x = nullptr, *y = nullptr;
    if (isTrue ? match(&condition, m_LogicalAnd(m_Value(x), m_Value(y)))
               : match(&condition, m_LogicalOr(m_Value(x), m_Value(y)))) {
      std::optional<Range> range = byTest(*x, isTrue, of, isOnce);
      return range ? range : byTest(*y, isTrue, of, isOnce);
    }
    auto *comparison = dyn_cast<ICmpInst>(&condition);
    if (!comparison || comparison->getOperand(0)->getType() != operation.getType())
      return std::nullopt;
    ICmpInst::Predicate predicate =
        isTrue ? comparison->getPredicate() : comparison->getInversePredicate();
    Value *less = comparison->getOperand(0), *more = comparison->getOperand(1);
    if (ICmpInst::isGT(predicate) || ICmpInst::isGE(predicate)) {
      std::swap(less, more);
      predicate = ICmpInst::getSwappedPredicate(predicate);
    }
    if (evolution.getSCEV(more) != n || !(ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate)))
      return std::nullopt;
    return byOrder(*less, predicate, of, isOnce);
  }

  // less < n or less <= n, where `of` is less and a constant.
  std::optional<Range> byOrder(Value &less, ICmpInst::Predicate predicate, const SCEV *of,
                               bool isOnce) {
    std::optional<APInt> difference =
        evolution.computeConstantDifference(of, evolution.getSCEV(&less));
    SimplifyQuery query(operation.getDataLayout(), &dominators, nullptr, &operation);
    const bool isSigned = ICmpInst::isSigned(predicate);
    if (!difference || difference->abs().ugt(2 * few) ||
        (isSigned && !isKnownNonNegative(&less, query)))
      return std::nullopt;
    const int64_t least = isKnownNonZero(&less, query) ? 1 : 0, more = difference->getSExtValue(),
                  most = ICmpInst::isLE(predicate) ? 1 : 0;
    Range range{std::max<int64_t>(-(least + more), 0), std::max<int64_t>(more + most, 0), isOnce};
    if (range.below > few || range.above > few ||
        (range.below > 0 && operation.getOpcode() == Instruction::URem))
      return std::nullopt;
    range.least = std::max<int64_t>({range.below, range.above, 1});
    if (isSigned && range.least == 1 && least >= most)
      range.least = 0;
    return range;
  }

  bool hasSmallConstant() const {
    auto *sum = dyn_cast<SCEVAddExpr>(a);
    auto *constant = sum ? dyn_cast<SCEVConstant>(sum->getOperand(0)) : nullptr;
    return operation.getOpcode() == Instruction::SRem && constant && !constant->isZero() &&
           constant->getAPInt().abs().ule(few);
  }

  // Whether n is less than needed; null if it is known not to be.
  Value *isSmall(const Range &range, IRBuilder<> &builder) {
    if (range.least == 0)
      return nullptr;
    return builder.CreateICmpSLT(divisor, ConstantInt::getSigned(operation.getType(), range.least));
  }

  // Whether not 0 < n and -n <= a < 2n.
  Value *isOutside(IRBuilder<> &builder) {
    Type *type = operation.getType();
    unsigned bits = type->getIntegerBitWidth();
    Value *shifted = builder.CreateAdd(number, divisor);
    Value *threefold = builder.CreateMul(divisor, ConstantInt::get(type, 3));
    Value *far = builder.CreateICmpUGE(shifted, threefold);
    Value *large =
        builder.CreateICmpUGE(builder.CreateSub(divisor, ConstantInt::get(type, 1)),
                              ConstantInt::get(type, APInt::getOneBitSet(bits, bits - 2)));
    return builder.CreateOr(far, large);
  }

  // `wrapped`, or where `divides` holds what a division gives.
  void build(Value *wrapped, Value *divides) {
    if (divides) {
      Instruction *end = SplitBlockAndInsertIfThen(divides, &operation, /*Unreachable=*/false);
      Instruction *divided = operation.clone();
      divided->insertBefore(end->getIterator());
      BasicBlock *other = end->getParent();
      IRBuilder<> builder(operation.getParent(), operation.getParent()->begin());
      PHINode *both = builder.CreatePHI(operation.getType(), 2);
      both->addIncoming(wrapped, other->getSinglePredecessor());
      both->addIncoming(divided, other);
      wrapped = both;
    }
    operation.replaceAllUsesWith(wrapped);
    operation.eraseFromParent();
  }

  Value *wrap(const Range &range, IRBuilder<> &builder) {
    Value *zero = ConstantInt::get(operation.getType(), 0), *result = number;
    if (range.isOnce) {
      Value *less = builder.CreateSub(number, divisor);
      result = range.below > 0
                   ? builder.CreateSelect(builder.CreateICmpSLT(less, zero), number, less)
                   : less;
    }
    if (range.above > 0)
      result = builder.CreateSelect(builder.CreateICmpSGE(result, divisor),
                                    builder.CreateSub(result, divisor), result);
    if (range.below > 0 && !range.isOnce)
      result = builder.CreateSelect(builder.CreateICmpEQ(builder.CreateAdd(result, divisor), zero),
                                    zero, result);
    return result;
  }

  BinaryOperator &operation;
  ScalarEvolution &evolution;
  const DominatorTree &dominators;
  Value *number, *divisor;
  const SCEV *a, *n;
};

bool isOfThread(const Value *value) {
  auto *call = dyn_cast<IntrinsicInst>(value);
  if (!call)
    return false;
  switch (call->getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return true;
  default:
    return false;
  }
}

// The number of a thread along x, which a program computes in 32 bits, has no more of them (as
// along y and z, where a grid is smaller): overflow has no meaning in Fortran. While this lives it
// is said so; `keep` leaves it, without need it changes other things.
class ThreadNumbers {
public:
  explicit ThreadNumbers(Function &function) {
    for (Instruction &instruction : instructions(function))
      if (auto *operation = dyn_cast<BinaryOperator>(&instruction);
          operation && operation->getType()->isIntegerTy(32) && isNumber(*operation))
        mark(*operation);
  }
  ~ThreadNumbers() {
    for (const Marked &marked : operations) {
      marked.operation->setHasNoSignedWrap(marked.wasSigned);
      marked.operation->setHasNoUnsignedWrap(marked.wasUnsigned);
    }
  }
  ThreadNumbers(const ThreadNumbers &) = delete;
  ThreadNumbers &operator=(const ThreadNumbers &) = delete;

  void keep() { operations.clear(); }

private:
  struct Marked {
    BinaryOperator *operation;
    bool wasSigned, wasUnsigned;
  };

  bool isNumber(const BinaryOperator &operation) const {
    const Value *a = operation.getOperand(0), *b = operation.getOperand(1);
    if (operation.getOpcode() == Instruction::Mul)
      return isOfThread(a) && isOfThread(b);
    return operation.getOpcode() == Instruction::Add &&
           ((numbers.contains(a) && (isOfThread(b) || isa<ConstantInt>(b))) ||
            (numbers.contains(b) && isOfThread(a)));
  }

  void mark(BinaryOperator &operation) {
    operations.push_back({&operation, operation.hasNoSignedWrap(), operation.hasNoUnsignedWrap()});
    operation.setHasNoSignedWrap();
    auto *added = dyn_cast<ConstantInt>(operation.getOperand(1));
    if (added && added->isNegative())
      return;
    operation.setHasNoUnsignedWrap();
    numbers.insert(&operation);
  }

  SmallPtrSet<const Value *, 8> numbers;
  SmallVector<Marked> operations;
};

struct WrapNumbers : PassInfoMixin<WrapNumbers> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    SmallVector<BinaryOperator *> remainders;
    for (Instruction &instruction : instructions(function))
      if (instruction.getOpcode() == Instruction::SRem ||
          instruction.getOpcode() == Instruction::URem)
        remainders.push_back(cast<BinaryOperator>(&instruction));
    if (remainders.empty())
      return PreservedAnalyses::all();
    ThreadNumbers threads(function);
    analyses.invalidate(function, PreservedAnalyses::none());
    for (BinaryOperator *remainder : remainders) {
      auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
      auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
      if (!Remainder(*remainder, evolution, dominators).replace())
        continue;
      threads.keep();
      analyses.invalidate(function, PreservedAnalyses::none());
    }
    return PreservedAnalyses::none();
  }
};

} // namespace

void wrapNumbers(PassBuilder &builder) {
  builder.registerScalarOptimizerLateEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel level) {
        if (level != OptimizationLevel::O0)
          passes.addPass(WrapNumbers());
      });
}

} // namespace cufc
