// See absolute_bounds.h. An absolute value is the larger one of a number and its negative, but for
// the least number, which has no other: all three are the same then.
#include "codegen/cpu/absolute_bounds.h"
#include "codegen/branches.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include <vector>

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

// As flang computes it, with s = -1 for a number below 0: ieor(i, s) - s.
Value *absoluteOf(Value *value) {
  Value *number = nullptr, *sign = nullptr;
  if (match(value, m_Intrinsic<Intrinsic::abs>(m_Value(number), m_Value())))
    return number;
  if (match(value, m_Sub(m_c_Xor(m_Value(number), m_Value(sign)), m_Deferred(sign))))
    for (Value *other : {number, sign})
      if (Value *signOf = other == number ? sign : number;
          match(signOf, m_AShr(m_Specific(other),
                               m_SpecificInt(value->getType()->getScalarSizeInBits() - 1))))
        return other;
  return nullptr;
}

bool decides(const ICmpInst &compare) {
  return compare.hasOneUse() && (conditionalBranch(*compare.user_begin()) ||
                                 match(*compare.user_begin(), m_LogicalAnd(m_Value(), m_Value())) ||
                                 match(*compare.user_begin(), m_LogicalOr(m_Value(), m_Value())));
}

void divide(ICmpInst &compare) {
  const bool isFirst = absoluteOf(compare.getOperand(0)) != nullptr;
  Value *number = absoluteOf(compare.getOperand(isFirst ? 0 : 1)),
        *limit = compare.getOperand(isFirst ? 1 : 0);
  if (!number || number->getType()->isVectorTy())
    return;
  const ICmpInst::Predicate predicate =
      isFirst ? compare.getPredicate() : compare.getSwappedPredicate();
  const bool isBelow = predicate == ICmpInst::ICMP_SLT || predicate == ICmpInst::ICMP_SLE,
             isAbove = predicate == ICmpInst::ICMP_SGT || predicate == ICmpInst::ICMP_SGE;
  if (!isBelow && !isAbove)
    return;
  IRBuilder<> builder(&compare);
  Value *itself = builder.CreateICmp(predicate, number, limit),
        *negative = builder.CreateICmp(predicate, builder.CreateNeg(number), limit);
  compare.replaceAllUsesWith(isBelow ? builder.CreateAnd(itself, negative)
                                     : builder.CreateOr(itself, negative));
  compare.eraseFromParent();
}

} // namespace

void divideAbsoluteBounds(Function &block) {
  std::vector<ICmpInst *> found;
  for (Instruction &instruction : instructions(block))
    if (auto *compare = dyn_cast<ICmpInst>(&instruction); compare && decides(*compare))
      found.push_back(compare);
  for (ICmpInst *compare : found)
    divide(*compare);
}

} // namespace cufc
