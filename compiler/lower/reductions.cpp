// See reductions.h. A scalar S is reduced if each assignment to it has one of the forms
//   S = S op e, S = e op S, S = max(S, e), if (e > S) S = e
// with one and the same operation, and nothing else in the loop reads it. A scalar that is also
// assigned without being read is private to the thread instead.
#include "lower/reductions.h"
#include "base/diag.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/CUF/Attributes/CUFAttr.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "lower/mlir_state.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSwitch.h"

namespace cufc {
namespace {

using namespace mlir;

// What is known of the updates of one variable.
struct Updates {
  std::optional<ReductionOperation> operation;
  bool isPrivate = false;            // assigned without being read, or passed to a procedure
  bool isMixed = false;              // several operations
  llvm::DenseSet<Operation *> reads; // that are part of an update
};

// How an expression depends on the variable.
struct Dependence {
  enum Kind { None, Itself, Reduced, Other } kind = None;
  ReductionOperation operation = ReductionOperation::Add;
};

class Matcher {
public:
  Matcher(hlfir::DeclareOp variable, Updates &updates) : variable(variable), updates(updates) {}

  void assignment(hlfir::AssignOp assign) {
    Dependence found = dependence(assign.getRhs());
    if (found.kind == Dependence::Reduced)
      return note(found.operation);
    if (found.kind == Dependence::None)
      if (auto operation = conditionalUpdate(assign))
        return note(*operation);
    updates.isPrivate |= found.kind == Dependence::None;
    updates.isMixed |= found.kind == Dependence::Other;
  }

private:
  void note(ReductionOperation operation) {
    updates.isMixed |= updates.operation && *updates.operation != operation;
    updates.operation = operation;
  }

  bool isRead(Value value) {
    auto load = value.getDefiningOp<fir::LoadOp>();
    return load && (load.getMemref() == variable.getBase() ||
                    load.getMemref() == variable.getOriginalBase());
  }

  Dependence dependence(Value value) {
    if (isRead(value)) {
      updates.reads.insert(value.getDefiningOp());
      return {Dependence::Itself};
    }
    Operation *op = value.getDefiningOp();
    if (!op || !reads(op))
      return {};
    if (isa<fir::ConvertOp, hlfir::NoReassocOp>(op))
      return dependence(op->getOperand(0));
    if (auto select = dyn_cast<arith::SelectOp>(op))
      return selection(select);
    std::optional<ReductionOperation> operation = operationOf(op);
    if (operation)
      return binary(*operation, op->getOperand(0), op->getOperand(1),
                    !isa<arith::SubFOp, arith::SubIOp, fir::SubcOp>(op));
    return {Dependence::Other};
  }

  static std::optional<ReductionOperation> operationOf(Operation *op) {
    if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
      if (!compare.getLhs().getType().isInteger(1))
        return std::nullopt;
      if (compare.getPredicate() == arith::CmpIPredicate::eq)
        return ReductionOperation::Equivalence;
      if (compare.getPredicate() == arith::CmpIPredicate::ne)
        return ReductionOperation::Xor;
      return std::nullopt;
    }
    if (isa<arith::AddFOp, arith::AddIOp, fir::AddcOp, arith::SubFOp, arith::SubIOp, fir::SubcOp>(
            op))
      return ReductionOperation::Add;
    if (isa<arith::MulFOp, arith::MulIOp, fir::MulcOp>(op))
      return ReductionOperation::Multiply;
    if (isa<arith::AndIOp>(op))
      return ReductionOperation::And;
    if (isa<arith::OrIOp>(op))
      return ReductionOperation::Or;
    if (isa<arith::XOrIOp>(op))
      return ReductionOperation::Xor;
    if (isa<arith::MaxSIOp, arith::MaxNumFOp, arith::MaximumFOp>(op))
      return ReductionOperation::Max;
    if (isa<arith::MinSIOp, arith::MinNumFOp, arith::MinimumFOp>(op))
      return ReductionOperation::Min;
    // Of logical values, in flang 23.
    return llvm::StringSwitch<std::optional<ReductionOperation>>(op->getName().getStringRef())
        .Case("fir.logical_and", ReductionOperation::And)
        .Case("fir.logical_or", ReductionOperation::Or)
        .Case("fir.eqv", ReductionOperation::Equivalence)
        .Case("fir.neqv", ReductionOperation::Xor)
        .Default(std::nullopt);
  }

  // Whether the value of `op` depends on the variable at all.
  bool reads(Operation *op) {
    for (Value operand : op->getOperands())
      if (isRead(operand) ||
          (operand.getDefiningOp() && !isa<fir::LoadOp>(operand.getDefiningOp()) &&
           reads(operand.getDefiningOp())))
        return true;
    return false;
  }

  Dependence binary(ReductionOperation operation, Value a, Value b, bool commutes = true) {
    Dependence left = dependence(a), right = dependence(b);
    if (right.kind != Dependence::None && (!commutes || left.kind != Dependence::None))
      return {Dependence::Other};
    Dependence inner = left.kind != Dependence::None ? left : right;
    if (inner.kind == Dependence::Other ||
        (inner.kind == Dependence::Reduced && inner.operation != operation))
      return {Dependence::Other};
    return {Dependence::Reduced, operation};
  }

  // Max for "a > b ? a : b".
  std::optional<ReductionOperation> comparison(Value condition, Value whenTrue, Value whenFalse) {
    std::optional<bool> greater;
    Operation *op = condition.getDefiningOp();
    if (auto compare = dyn_cast_or_null<arith::CmpFOp>(op))
      greater = isGreater(arith::stringifyCmpFPredicate(compare.getPredicate()));
    else if (auto integers = dyn_cast_or_null<arith::CmpIOp>(op))
      greater = isGreater(arith::stringifyCmpIPredicate(integers.getPredicate()));
    if (!greater)
      return std::nullopt;
    bool straight = same(op->getOperand(0), whenTrue) && same(op->getOperand(1), whenFalse);
    bool crossed = same(op->getOperand(0), whenFalse) && same(op->getOperand(1), whenTrue);
    if (!straight && !crossed)
      return std::nullopt;
    return *greater == straight ? ReductionOperation::Max : ReductionOperation::Min;
  }

  static std::optional<bool> isGreater(llvm::StringRef predicate) {
    if (predicate.contains("gt") || predicate.contains("ge"))
      return true;
    if (predicate.contains("lt") || predicate.contains("le"))
      return false;
    return std::nullopt;
  }

  // Whether two values are equal as expressions: the same operations on the same memory.
  bool same(Value a, Value b) {
    if (a == b)
      return true;
    Operation *left = a.getDefiningOp(), *right = b.getDefiningOp();
    if (!left || !right || left->getName() != right->getName() ||
        left->getAttrDictionary() != right->getAttrDictionary() ||
        left->getNumOperands() != right->getNumOperands() || left->getNumRegions())
      return false;
    for (unsigned i = 0; i < left->getNumOperands(); ++i)
      if (!same(left->getOperand(i), right->getOperand(i)))
        return false;
    return true;
  }

  Dependence selection(arith::SelectOp select) {
    auto operation =
        comparison(select.getCondition(), select.getTrueValue(), select.getFalseValue());
    if (!operation)
      return {Dependence::Other};
    // Both the comparison and the selection read the variable.
    for (Value operand : select.getCondition().getDefiningOp()->getOperands())
      if (isRead(operand))
        updates.reads.insert(operand.getDefiningOp());
    return binary(*operation, select.getTrueValue(), select.getFalseValue());
  }

  // The kinds of e and S may differ: conversions of numbers keep their order.
  static Value unconverted(Value value) {
    while (auto convert = value.getDefiningOp<fir::ConvertOp>())
      value = convert.getValue();
    return value;
  }

  // if (e > S) S = e
  std::optional<ReductionOperation> conditionalUpdate(hlfir::AssignOp assign) {
    auto branch = assign->getParentOfType<fir::IfOp>();
    if (!branch || assign->getBlock() != &branch.getThenRegion().front())
      return std::nullopt;
    Operation *compare = branch.getCondition().getDefiningOp();
    if (!compare || compare->getNumOperands() != 2)
      return std::nullopt;
    for (unsigned i = 0; i < 2; ++i) {
      Value read = unconverted(compare->getOperand(i)), other = compare->getOperand(1 - i);
      if (!isRead(read) || !same(unconverted(other), unconverted(assign.getRhs())))
        continue;
      auto operation = comparison(branch.getCondition(), other, compare->getOperand(i));
      if (operation)
        updates.reads.insert(read.getDefiningOp());
      return operation;
    }
    return std::nullopt;
  }

  hlfir::DeclareOp variable;
  Updates &updates;
};

bool isScalar(hlfir::DeclareOp declare) {
  return fir::isa_trivial(fir::unwrapRefType(declare.getMemref().getType()));
}

// The scalar outside `directive` whose storage `address` is, if it is one.
hlfir::DeclareOp outsideScalar(cuf::KernelOp directive, Value address) {
  auto declare = address.getDefiningOp<hlfir::DeclareOp>();
  if (!declare || directive->isAncestor(declare) || !isScalar(declare))
    return {};
  return declare;
}

unsigned readsOf(cuf::KernelOp directive, hlfir::DeclareOp variable) {
  unsigned count = 0;
  for (Value address : variable->getResults())
    for (Operation *user : address.getUsers())
      count += directive->isAncestor(user) && isa<fir::LoadOp>(user);
  return count;
}

// Whether something other than reads and assignments uses the variable in the loop.
bool escapes(cuf::KernelOp directive, hlfir::DeclareOp variable) {
  for (Value address : variable->getResults())
    for (Operation *user : address.getUsers())
      if (directive->isProperAncestor(user) && !isa<fir::LoadOp>(user)) {
        auto assign = dyn_cast<hlfir::AssignOp>(user);
        if (!assign || assign.getRhs() == address)
          return true;
      }
  return false;
}

std::string nameOf(hlfir::DeclareOp variable) {
  return fir::NameUniquer::deconstruct(variable.getUniqName()).second.name;
}

std::optional<ReductionOperation> fromClause(Attribute attribute) {
  auto clause = dyn_cast<fir::ReduceAttr>(attribute);
  if (!clause)
    return std::nullopt;
  switch (clause.getReduceOperation()) {
  case fir::ReduceOperationEnum::Add:
    return ReductionOperation::Add;
  case fir::ReduceOperationEnum::Multiply:
    return ReductionOperation::Multiply;
  case fir::ReduceOperationEnum::AND:
  case fir::ReduceOperationEnum::IAND:
    return ReductionOperation::And;
  case fir::ReduceOperationEnum::OR:
  case fir::ReduceOperationEnum::IOR:
    return ReductionOperation::Or;
  case fir::ReduceOperationEnum::EQV:
    return ReductionOperation::Equivalence;
  case fir::ReduceOperationEnum::NEQV:
  case fir::ReduceOperationEnum::IEOR:
    return ReductionOperation::Xor;
  case fir::ReduceOperationEnum::MAX:
    return ReductionOperation::Max;
  case fir::ReduceOperationEnum::MIN:
    return ReductionOperation::Min;
  }
  return std::nullopt;
}

} // namespace

std::vector<Reduction> findReductions(cuf::KernelOp directive, Diagnostics &diagnostics) {
  std::vector<Reduction> found;
  llvm::DenseSet<Operation *> named;
  for (auto [operand, attribute] :
       llvm::zip(directive.getReduceOperands(),
                 directive.getReduceAttrs().value_or(ArrayAttr::get(directive.getContext(), {})))) {
    hlfir::DeclareOp variable = outsideScalar(directive, operand);
    auto operation = fromClause(attribute);
    if (!variable || !operation) {
      diagnostics.report(Diag::ReductionVariable, toSourceRange(directive.getLoc()));
      continue;
    }
    named.insert(variable);
    found.push_back({variable, *operation});
  }
  llvm::MapVector<Operation *, Updates> updates;
  directive.walk([&](hlfir::AssignOp assign) {
    if (hlfir::DeclareOp variable = outsideScalar(directive, assign.getLhs()))
      if (!named.contains(variable))
        Matcher(variable, updates[variable]).assignment(assign);
  });
  for (auto &[op, update] : updates) {
    auto variable = cast<hlfir::DeclareOp>(op);
    if (update.isPrivate || escapes(directive, variable) || (!update.operation && !update.isMixed))
      continue;
    if (update.isMixed || update.reads.size() != readsOf(directive, variable))
      diagnostics.report(Diag::ReductionMixed, toSourceRange(directive.getLoc()), nameOf(variable));
    else
      found.push_back({variable, *update.operation});
  }
  for (const Reduction &reduction : found)
    if (hlfir::DeclareOp variable = reduction.variable;
        !isReducible(fir::unwrapRefType(variable.getMemref().getType()), reduction.operation))
      diagnostics.report(Diag::ReductionType, toSourceRange(directive.getLoc()), nameOf(variable));
  return found;
}

Type reducedType(Type type) {
  MLIRContext *context = type.getContext();
  if (isa<fir::LogicalType>(type))
    return IntegerType::get(context, 32);
  if (auto integer = dyn_cast<IntegerType>(type))
    return IntegerType::get(context, integer.getWidth() <= 32 ? 32 : 64);
  if (type.isF16() || type.isBF16())
    return Float32Type::get(context);
  return type;
}

bool isReducible(Type type, ReductionOperation operation) {
  bool ordered = operation == ReductionOperation::Max || operation == ReductionOperation::Min;
  bool numeric =
      ordered || operation == ReductionOperation::Add || operation == ReductionOperation::Multiply;
  if (isa<fir::LogicalType>(type))
    return !numeric;
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() <= 64 && operation != ReductionOperation::Equivalence;
  Type element = type;
  if (auto complex = dyn_cast<ComplexType>(type)) {
    if (ordered)
      return false;
    element = complex.getElementType();
  }
  return numeric && isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 64;
}

Value toReduced(OpBuilder &builder, Location loc, Value value) {
  Type type = value.getType(), wide = reducedType(type);
  if (type == wide)
    return value;
  if (isa<fir::LogicalType>(type)) {
    Value bit = fir::ConvertOp::create(builder, loc, builder.getI1Type(), value);
    return arith::ExtUIOp::create(builder, loc, wide, bit);
  }
  return fir::ConvertOp::create(builder, loc, wide, value);
}

Value fromReduced(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isa<fir::LogicalType>(type)) {
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(value.getType()));
    value = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value, zero);
  }
  return fir::ConvertOp::create(builder, loc, type, value);
}

namespace {

Attribute neutralAttribute(OpBuilder &builder, ReductionOperation operation, Type type) {
  if (auto real = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = real.getFloatSemantics();
    switch (operation) {
    case ReductionOperation::Multiply:
      return builder.getFloatAttr(type, 1.0);
    case ReductionOperation::Max:
      return builder.getFloatAttr(type, llvm::APFloat::getInf(semantics, /*Negative=*/true));
    case ReductionOperation::Min:
      return builder.getFloatAttr(type, llvm::APFloat::getInf(semantics));
    default:
      return builder.getFloatAttr(type, 0.0);
    }
  }
  unsigned width = type.getIntOrFloatBitWidth();
  switch (operation) {
  case ReductionOperation::Multiply:
    return builder.getIntegerAttr(type, llvm::APInt(width, 1));
  case ReductionOperation::Max:
    return builder.getIntegerAttr(type, llvm::APInt::getSignedMinValue(width));
  case ReductionOperation::Min:
    return builder.getIntegerAttr(type, llvm::APInt::getSignedMaxValue(width));
  case ReductionOperation::And:
    return builder.getIntegerAttr(type, llvm::APInt::getAllOnes(width));
  default:
    return builder.getIntegerAttr(type, llvm::APInt::getZero(width));
  }
}

Value constantOf(OpBuilder &builder, Location loc, Attribute value) {
  return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(value));
}

} // namespace

Value neutralValue(OpBuilder &builder, Location loc, ReductionOperation operation, Type type) {
  if (isa<fir::LogicalType>(type)) {
    bool value =
        operation == ReductionOperation::And || operation == ReductionOperation::Equivalence;
    Value bit = constantOf(builder, loc, builder.getBoolAttr(value));
    return fir::ConvertOp::create(builder, loc, type, bit);
  }
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Type part = complex.getElementType();
    Value real = constantOf(builder, loc, neutralAttribute(builder, operation, part));
    Value imaginary = constantOf(builder, loc, builder.getZeroAttr(part));
    Value whole = fir::UndefOp::create(builder, loc, type);
    auto insert = [&](Value part, int at) {
      whole = fir::InsertValueOp::create(
          builder, loc, type, whole, part,
          builder.getArrayAttr(builder.getIntegerAttr(builder.getIndexType(), at)));
    };
    insert(real, 0);
    insert(imaginary, 1);
    return whole;
  }
  return constantOf(builder, loc, neutralAttribute(builder, operation, type));
}

Value combine(OpBuilder &builder, Location loc, ReductionOperation operation, Value a, Value b) {
  Type type = a.getType();
  if (isa<fir::LogicalType>(type)) {
    Value x = fir::ConvertOp::create(builder, loc, builder.getI1Type(), a);
    Value y = fir::ConvertOp::create(builder, loc, builder.getI1Type(), b);
    Value bit = combine(builder, loc, operation, x, y);
    return fir::ConvertOp::create(builder, loc, type, bit);
  }
  bool isReal = isa<FloatType>(type), isComplex = isa<ComplexType>(type);
  switch (operation) {
  case ReductionOperation::Add:
    if (isComplex)
      return fir::AddcOp::create(builder, loc, a, b);
    return isReal ? arith::AddFOp::create(builder, loc, a, b).getResult()
                  : arith::AddIOp::create(builder, loc, a, b).getResult();
  case ReductionOperation::Multiply:
    if (isComplex)
      return fir::MulcOp::create(builder, loc, a, b);
    return isReal ? arith::MulFOp::create(builder, loc, a, b).getResult()
                  : arith::MulIOp::create(builder, loc, a, b).getResult();
  case ReductionOperation::Max:
  case ReductionOperation::Min: {
    bool max = operation == ReductionOperation::Max;
    Value first =
        isReal
            ? arith::CmpFOp::create(
                  builder, loc, max ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT, a, b)
                  .getResult()
            : arith::CmpIOp::create(
                  builder, loc, max ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt, a, b)
                  .getResult();
    return arith::SelectOp::create(builder, loc, first, a, b);
  }
  case ReductionOperation::And:
    return arith::AndIOp::create(builder, loc, a, b);
  case ReductionOperation::Or:
    return arith::OrIOp::create(builder, loc, a, b);
  case ReductionOperation::Xor:
    return arith::XOrIOp::create(builder, loc, a, b);
  case ReductionOperation::Equivalence:
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
  }
  return {};
}

} // namespace cufc
