// See device_computation.h.
#include "lower/device_computation.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/data_location.h"

namespace cufc {

using namespace mlir;
using llvm::SmallVector;

namespace {

// What an argument reads.
struct Reads {
  bool device = false;
  bool host = false; // arrays of the host, or something that a kernel cannot compute
};

void collectReads(Value value, Reads &reads);

void collectElementReads(hlfir::ElementalOp elemental, Reads &reads) {
  elemental.getRegion().walk([&](Operation *op) {
    if (auto apply = dyn_cast<hlfir::ApplyOp>(op)) {
      collectReads(apply.getExpr(), reads);
    } else if (auto load = dyn_cast<fir::LoadOp>(op)) {
      if (isOnDevice(load.getMemref()))
        reads.device |= isOnlyOnDevice(load.getMemref());
      else
        reads.host |= !load.getMemref().getDefiningOp<hlfir::DeclareOp>(); // not a scalar variable
    } else if (isa<fir::CallOp, fir::DispatchOp>(op) || isTransformational(op)) {
      reads.host = true;
    }
  });
}

void collectReads(Value value, Reads &reads) {
  if (!value)
    return;
  if (auto elemental = value.getDefiningOp<hlfir::ElementalOp>())
    collectElementReads(elemental, reads);
  else if (isOnDevice(value))
    reads.device |= isOnlyOnDevice(value);
  else if (!fir::isa_trivial(value.getType()))
    reads.host = true;
}

fir::ReduceOperationEnum clauseOf(ReductionOperation operation, Type type) {
  bool bits = isa<IntegerType>(type);
  switch (operation) {
  case ReductionOperation::Add:
    return fir::ReduceOperationEnum::Add;
  case ReductionOperation::Multiply:
    return fir::ReduceOperationEnum::Multiply;
  case ReductionOperation::Max:
    return fir::ReduceOperationEnum::MAX;
  case ReductionOperation::Min:
    return fir::ReduceOperationEnum::MIN;
  case ReductionOperation::And:
    return bits ? fir::ReduceOperationEnum::IAND : fir::ReduceOperationEnum::AND;
  case ReductionOperation::Or:
    return bits ? fir::ReduceOperationEnum::IOR : fir::ReduceOperationEnum::OR;
  case ReductionOperation::Xor:
    return bits ? fir::ReduceOperationEnum::IEOR : fir::ReduceOperationEnum::NEQV;
  case ReductionOperation::Equivalence:
    return fir::ReduceOperationEnum::EQV;
  }
  return fir::ReduceOperationEnum::Add;
}

} // namespace

bool isTransformational(Operation *op) {
  return isa<hlfir::AllOp, hlfir::AnyOp, hlfir::CountOp, hlfir::CShiftOp, hlfir::EOShiftOp,
             hlfir::DotProductOp, hlfir::MatmulOp, hlfir::MatmulTransposeOp, hlfir::MaxlocOp,
             hlfir::MaxvalOp, hlfir::MinlocOp, hlfir::MinvalOp, hlfir::ProductOp, hlfir::ReshapeOp,
             hlfir::SumOp, hlfir::TransposeOp>(op);
}

bool computesOnDevice(ValueRange arguments) {
  Reads reads;
  for (Value argument : arguments)
    collectReads(argument, reads);
  return reads.device && !reads.host;
}

Computation::Computation(Operation *op, Value stream)
    : op(op), loc(op->getLoc()), builder(op, fir::getKindMapping(op->getParentOfType<ModuleOp>())),
      stream(stream) {}

hlfir::DeclareOp Computation::variable(Value initial) {
  Value memory = builder.createTemporary(loc, initial.getType());
  fir::StoreOp::create(builder, loc, initial, memory);
  return hlfir::DeclareOp::create(builder, loc, memory, "cufc.reduced");
}

void Computation::overElements(ArrayRef<Value> extents, hlfir::DeclareOp reduced,
                               std::optional<ReductionOperation> operation,
                               llvm::function_ref<void(ValueRange)> body) {
  Directive directive{extents, reduced, operation, body};
  if (!operation)
    return makeDirective(directive, false);
  Value narrow = areNarrow(extents);
  if (std::optional<int64_t> known = fir::getIntIfConstant(narrow))
    return makeDirective(directive, *known != 0);
  auto branch = fir::IfOp::create(builder, loc, narrow, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&branch.getThenRegion().front());
  makeDirective(directive, true);
  builder.setInsertionPointToStart(&branch.getElseRegion().front());
  makeDirective(directive, false);
}

// Whether all extents can be counted with 32 bits, and what a grid adds to them, too.
Value Computation::areNarrow(ArrayRef<Value> extents) {
  constexpr int64_t most = int64_t{1} << 30;
  Value most64 = builder.createIntegerConstant(loc, builder.getIndexType(), most);
  Value all = builder.createBool(loc, true);
  for (Value extent : extents)
    if (std::optional<int64_t> known = fir::getIntIfConstant(extent); !known)
      all = builder.createOrFold<arith::AndIOp>(
          loc, all, arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, extent, most64));
    else if (*known > most)
      return builder.createBool(loc, false);
  return all;
}

void Computation::makeDirective(Directive made, bool narrow) {
  size_t rank = made.extents.size();
  Value one = builder.createIntegerConstant(loc, builder.getIndexType(), 1);
  SmallVector<Value> lower(rank, one), upper(llvm::reverse(made.extents)), step = lower;
  SmallVector<Value> operands;
  ArrayAttr clauses;
  if (made.operation) {
    operands.push_back(made.reduced.getBase());
    clauses = builder.getArrayAttr(fir::ReduceAttr::get(
        builder.getContext(),
        clauseOf(*made.operation, fir::unwrapRefType(made.reduced.getMemref().getType()))));
  }
  auto directive = cuf::KernelOp::create(
      builder, loc, ValueRange{}, ValueRange{}, stream, lower, upper, step,
      builder.getI64IntegerAttr(static_cast<int64_t>(rank)), operands, clauses);
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&directive.getRegion(), {},
                                     SmallVector<Type>(rank, builder.getIndexType()),
                                     SmallVector<Location>(rank, loc));
  fir::FirEndOp::create(builder, loc);
  builder.setInsertionPointToStart(block);
  SmallVector<Value> subscripts(llvm::reverse(block->getArguments()));
  if (narrow) // as those of a Fortran loop with such a variable
    for (Value &subscript : subscripts)
      subscript = fir::ConvertOp::create(
          builder, loc, builder.getIndexType(),
          fir::ConvertOp::create(builder, loc, builder.getI32Type(), subscript));
  made.body(subscripts);
  inlineElementals(directive);
}

Value Computation::element(Value array, ValueRange subscripts) {
  hlfir::Entity entity{array};
  if (entity.isArray())
    entity = hlfir::getElementAt(loc, builder, entity, subscripts);
  return hlfir::loadTrivialScalar(loc, builder, entity);
}

hlfir::Entity Computation::dereferenced(Value array) {
  return hlfir::derefPointersAndAllocatables(loc, builder, hlfir::Entity{array});
}

SmallVector<Value> Computation::extents(Value array) {
  return hlfir::getIndexExtents(loc, builder, hlfir::genShape(loc, builder, hlfir::Entity{array}));
}

Value Computation::asBit(Value logical) {
  return fir::ConvertOp::create(builder, loc, builder.getI1Type(), logical);
}

Value Computation::constant(Type type, int64_t value) {
  if (isa<FloatType>(type))
    return builder.createRealConstant(loc, type, llvm::APFloat(static_cast<double>(value)));
  return builder.createIntegerConstant(loc, type, value);
}

// hlfir.apply of an elemental outside becomes the elemental's code.
void Computation::inlineElementals(cuf::KernelOp directive) {
  for (bool changed = true; changed;) {
    changed = false;
    SmallVector<hlfir::ApplyOp> applications;
    directive.walk([&](hlfir::ApplyOp apply) { applications.push_back(apply); });
    for (hlfir::ApplyOp apply : applications) {
      auto elemental = apply.getExpr().getDefiningOp<hlfir::ElementalOp>();
      if (!elemental)
        continue;
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(apply);
      hlfir::YieldElementOp yield =
          hlfir::inlineElementalOp(loc, builder, elemental, apply.getIndices());
      apply.replaceAllUsesWith(yield.getElementValue());
      yield.erase();
      apply.erase();
      changed = true;
    }
  }
}

} // namespace cufc
