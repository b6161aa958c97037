// See equal_values.h. Numbers are equal if they are made by the same operations from equal ones,
// and loads if they are from one variable and nothing between them may write.
#include "lower/equal_values.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace cufc {
namespace {

using namespace mlir;

// How deep computations may be nested.
constexpr unsigned mostDepth = 8;

bool mayWrite(Operation &op) {
  if (isMemoryEffectFree(&op) || isa<hlfir::DeclareOp>(op))
    return false;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return !effects || op.getNumRegions() != 0 || effects.hasEffect<MemoryEffects::Write>() ||
         effects.hasEffect<MemoryEffects::Free>();
}

bool nothingIsWrittenBetween(Operation *one, Operation *other) {
  if (one->getBlock() != other->getBlock())
    return false;
  Operation *first = one->isBeforeInBlock(other) ? one : other;
  Operation *last = first == one ? other : one;
  for (Operation *op = first->getNextNode(); op != last; op = op->getNextNode())
    if (mayWrite(*op))
      return false;
  return true;
}

bool areEqual(Value one, Value other, unsigned depth) {
  if (one == other)
    return true;
  Operation *left = one.getDefiningOp(), *right = other.getDefiningOp();
  if (!left || !right || depth == 0 || left->getName() != right->getName() ||
      left->getNumResults() != 1 || left->getNumRegions() != 0 ||
      one.getType() != other.getType() || left->getAttrDictionary() != right->getAttrDictionary() ||
      left->getNumOperands() != right->getNumOperands())
    return false;
  if (isa<fir::LoadOp>(left) ? !nothingIsWrittenBetween(left, right) : !isMemoryEffectFree(left))
    return false;
  return llvm::all_of(llvm::zip(left->getOperands(), right->getOperands()), [&](auto pair) {
    return areEqual(std::get<0>(pair), std::get<1>(pair), depth - 1);
  });
}

} // namespace

bool areEqual(Value one, Value other) { return areEqual(one, other, mostDepth); }

bool isOfConstants(Value value, int depth) {
  Operation *op = value.getDefiningOp();
  return op && depth > 0 && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         (fir::isa_trivial(value.getType()) || isa<IndexType>(value.getType())) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isOfConstants(operand, depth - 1); });
}

} // namespace cufc
