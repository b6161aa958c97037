// Fortran has no unsigned integers, so generators of random numbers, hashes and checksums compute
// with integer(8) what is less than 2**32:
//
//   x = iand(a*x + c, z'ffffffff');  y = ieor(x, shiftr(x, 13))
//
// A GPU does such an operation in two, a product in four, and its conversion to a real at a quarter
// of the speed. Where the upper half of a result is known to be zero, the lower ones of the
// operands are enough for it, and the product of two such numbers is one instruction.
#include "codegen/narrow_words.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/Local.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr unsigned mostDepth = 8; // of expressions that are computed anew

class Words {
public:
  explicit Words(Function &function) : function(function), layout(function.getDataLayout()) {}

  void run() {
    SmallVector<WeakVH> instructions;
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
      for (Instruction &instruction : *block)
        instructions.emplace_back(&instruction);
    for (WeakVH &handle : instructions)
      if (auto *instruction = dyn_cast_or_null<Instruction>(handle))
        narrow(*instruction);
    for (auto [narrowed, original] : loops)
      for (unsigned i = 0; i < original->getNumIncomingValues(); ++i) {
        IRBuilder<> builder(original->getIncomingBlock(i)->getTerminator());
        Value *value = original->getIncomingValue(i);
        narrowed->addIncoming(value == original ? narrowed : lower(value, builder),
                              original->getIncomingBlock(i));
      }
    for (auto [narrowed, original] : loops)
      RecursivelyDeleteDeadPHINode(original);
    for (WeakVH &handle : instructions)
      if (auto *instruction = dyn_cast_or_null<Instruction>(handle))
        RecursivelyDeleteTriviallyDeadInstructions(instruction);
  }

private:
  bool isShort(const Value *value) const {
    return value->getType()->isIntegerTy(64) &&
           computeKnownBits(value, layout).countMinLeadingZeros() >= 32;
  }

  // The lower half; where it stands already, that. What has no other use is computed so.
  static Value *lower(Value *value, IRBuilder<> &builder, unsigned depth = 0) {
    Value *narrowed = nullptr, *a = nullptr, *b = nullptr;
    if (match(value, m_ZExtOrSExt(m_Value(narrowed))) && narrowed->getType()->isIntegerTy(32))
      return narrowed;
    auto *operation = dyn_cast<BinaryOperator>(value);
    if (operation && operation->hasOneUse() && depth < mostDepth &&
        match(operation, m_BinOp(m_Value(a), m_Value(b))) && isOfLowerHalves(*operation)) {
      IRBuilder<>::InsertPointGuard guard(builder);
      builder.SetInsertPoint(operation);
      Value *x = lower(a, builder, depth + 1), *y = lower(b, builder, depth + 1);
      return builder.CreateBinOp(operation->getOpcode(), x, y);
    }
    return builder.CreateTrunc(value, builder.getInt32Ty());
  }

  static bool isOfLowerHalves(const BinaryOperator &operation) {
    switch (operation.getOpcode()) {
    case Instruction::Mul:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::Add:
    case Instruction::Sub:
      return true;
    default:
      return false;
    }
  }

  static void replace(Instruction &old, Value *narrowed, IRBuilder<> &builder) {
    substitute(old, builder.CreateZExt(narrowed, old.getType()));
  }

  // At once, so that what `old` alone used has one use again.
  static void substitute(Instruction &old, Value *value) {
    old.replaceAllUsesWith(value);
    RecursivelyDeleteTriviallyDeadInstructions(&old);
  }

  void narrow(Instruction &instruction) {
    if (isa<UIToFPInst, SIToFPInst>(instruction) && isShort(instruction.getOperand(0)))
      return convert(instruction);
    if (auto *comparison = dyn_cast<ICmpInst>(&instruction))
      return compare(*comparison);
    if (!instruction.getType()->isIntegerTy(64))
      return;
    if (auto *phi = dyn_cast<PHINode>(&instruction))
      return carry(*phi);
    if (auto *operation = dyn_cast<BinaryOperator>(&instruction))
      compute(*operation);
    else if (auto *select = dyn_cast<SelectInst>(&instruction); select && isShort(select)) {
      IRBuilder<> builder(select);
      replace(*select,
              builder.CreateSelect(select->getCondition(), lower(select->getTrueValue(), builder),
                                   lower(select->getFalseValue(), builder)),
              builder);
    }
  }

  void convert(Instruction &conversion) {
    IRBuilder<> builder(&conversion);
    builder.setFastMathFlags(FastMathFlags());
    Value *result =
        builder.CreateUIToFP(lower(conversion.getOperand(0), builder), conversion.getType());
    substitute(conversion, result);
  }

  void compare(ICmpInst &comparison) {
    Value *a = comparison.getOperand(0), *b = comparison.getOperand(1);
    if (!isShort(a) || !isShort(b))
      return;
    IRBuilder<> builder(&comparison);
    substitute(comparison, builder.CreateICmp(comparison.getUnsignedPredicate(), lower(a, builder),
                                              lower(b, builder)));
  }

  // What comes around a loop is added when it is narrow itself.
  void carry(PHINode &phi) {
    if (!isShort(&phi))
      return;
    PHINode *narrowed = PHINode::Create(Type::getInt32Ty(phi.getContext()),
                                        phi.getNumIncomingValues(), "", phi.getIterator());
    IRBuilder<> builder(phi.getParent(), phi.getParent()->getFirstInsertionPt());
    Value *wide = builder.CreateZExt(narrowed, phi.getType());
    phi.replaceUsesWithIf(wide, [&](Use &use) { return use.getUser() != &phi; });
    loops.emplace_back(narrowed, &phi);
  }

  void compute(BinaryOperator &operation) {
    Value *a = operation.getOperand(0), *b = operation.getOperand(1);
    IRBuilder<> builder(&operation);
    if (operation.getOpcode() == Instruction::Shl || operation.getOpcode() == Instruction::LShr) {
      if (auto *count = dyn_cast<ConstantInt>(b))
        shift(operation, count->getValue().getLimitedValue(64), builder);
    } else if (isOfLowerHalves(operation) && isShort(&operation)) {
      replace(operation,
              builder.CreateBinOp(operation.getOpcode(), lower(a, builder), lower(b, builder)),
              builder);
    } else if (operation.getOpcode() == Instruction::Mul && isShort(a) && isShort(b)) {
      widen(operation, builder);
    }
  }

  // The factors as extended numbers, whose product is one instruction.
  static void widen(BinaryOperator &product, IRBuilder<> &builder) {
    for (unsigned i = 0; i < 2; ++i)
      if (!isa<ConstantInt>(product.getOperand(i)))
        product.setOperand(
            i, builder.CreateZExt(lower(product.getOperand(i), builder), product.getType()));
  }

  void shift(BinaryOperator &operation, uint64_t count, IRBuilder<> &builder) {
    Value *number = operation.getOperand(0);
    const bool left = operation.getOpcode() == Instruction::Shl;
    if (count >= 64 || !isShort(&operation))
      return;
    if (count < 32 && (left || isShort(number))) {
      Value *narrowed = lower(number, builder);
      replace(operation,
              left ? builder.CreateShl(narrowed, count) : builder.CreateLShr(narrowed, count),
              builder);
    } else if (!left && count >= 32) { // the upper half is a register of its own
      Value *upper = builder.CreateTrunc(builder.CreateLShr(number, 32), builder.getInt32Ty());
      replace(operation, builder.CreateLShr(upper, count - 32), builder);
    }
  }

  Function &function;
  const DataLayout &layout;
  SmallVector<std::pair<PHINode *, PHINode *>> loops; // narrow ones, and what they stand for
};

} // namespace

void narrowWords(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration())
      Words(function).run();
}

} // namespace cufc
