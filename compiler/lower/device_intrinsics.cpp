// Array intrinsics of device data in host code, at HLFIR level: each becomes CUF kernel directives
// over the elements of its arguments, which the outliner turns into kernels.
//
//   s = sum(a_d * b_d)      a reduction; also product, maxval, minval, any, all, count, dot_product
//   k = maxloc(a_d)         two reductions: the value, then the first element that has it
//   c = sum(a_d, dim=1), matmul, transpose, reshape: one thread an element of the result
//
// Arguments may be expressions: elementals are inlined into the kernel. What also reads arrays of
// the host is left to the host, which then copies the device's (host_reads.cpp).
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/data_location.h"
#include "lower/device_procedures.h"
#include "lower/mlir_state.h"
#include "lower/reductions.h"
#include "lower/temporaries.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace cufc {
namespace {

using namespace mlir;
using llvm::SmallVector;

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
    } else if (isa<fir::CallOp, fir::DispatchOp>(op)) {
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

bool computesOnDevice(ValueRange arguments) {
  Reads reads;
  for (Value argument : arguments)
    collectReads(argument, reads);
  return reads.device && !reads.host;
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

// The kernels that compute one intrinsic.
class Computation {
public:
  explicit Computation(Operation *op)
      : op(op), loc(op->getLoc()),
        builder(op, fir::getKindMapping(op->getParentOfType<ModuleOp>())) {}

  // A scalar variable of the host that starts as `initial`.
  hlfir::DeclareOp variable(Value initial) {
    Value memory = builder.createTemporary(loc, initial.getType());
    fir::StoreOp::create(builder, loc, initial, memory);
    return hlfir::DeclareOp::create(builder, loc, memory, "cufc.reduced");
  }

  // A directive over 1 to each of `extents`, the first of which runs fastest. `body` makes the code
  // for one element from its one-based subscripts.
  void overElements(ArrayRef<Value> extents, hlfir::DeclareOp reduced,
                    std::optional<ReductionOperation> operation,
                    llvm::function_ref<void(ValueRange)> body) {
    Value one = builder.createIntegerConstant(loc, builder.getIndexType(), 1);
    SmallVector<Value> lower(extents.size(), one), upper(llvm::reverse(extents)), step = lower;
    SmallVector<Value> operands;
    ArrayAttr clauses;
    if (operation) {
      operands.push_back(reduced.getBase());
      clauses = builder.getArrayAttr(fir::ReduceAttr::get(
          builder.getContext(),
          clauseOf(*operation, fir::unwrapRefType(reduced.getMemref().getType()))));
    }
    auto directive = cuf::KernelOp::create(
        builder, loc, ValueRange{}, ValueRange{}, Value{}, lower, upper, step,
        builder.getI64IntegerAttr(static_cast<int64_t>(extents.size())), operands, clauses);
    OpBuilder::InsertionGuard guard(builder);
    Block *block = builder.createBlock(&directive.getRegion(), {},
                                       SmallVector<Type>(extents.size(), builder.getIndexType()),
                                       SmallVector<Location>(extents.size(), loc));
    fir::FirEndOp::create(builder, loc);
    builder.setInsertionPointToStart(block);
    SmallVector<Value> subscripts(llvm::reverse(block->getArguments()));
    body(subscripts);
    inlineElementals(directive);
  }

  // The value of one element of an argument, or of a scalar argument.
  Value element(Value array, ValueRange subscripts) {
    hlfir::Entity entity{array};
    if (entity.isArray())
      entity = hlfir::getElementAt(loc, builder, entity, subscripts);
    return hlfir::loadTrivialScalar(loc, builder, entity);
  }

  hlfir::Entity dereferenced(Value array) {
    return hlfir::derefPointersAndAllocatables(loc, builder, hlfir::Entity{array});
  }

  SmallVector<Value> extents(Value array) {
    return hlfir::getIndexExtents(loc, builder,
                                  hlfir::genShape(loc, builder, hlfir::Entity{array}));
  }

  Value asBit(Value logical) {
    return fir::ConvertOp::create(builder, loc, builder.getI1Type(), logical);
  }

  Value constant(Type type, int64_t value) {
    if (isa<FloatType>(type))
      return builder.createRealConstant(loc, type, llvm::APFloat(static_cast<double>(value)));
    return builder.createIntegerConstant(loc, type, value);
  }

  // hlfir.apply of an elemental outside becomes the elemental's code.
  void inlineElementals(cuf::KernelOp directive) {
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

  Operation *op;
  Location loc;
  fir::FirOpBuilder builder;
};

// How one reduction intrinsic treats an element.
struct ReductionForm {
  ReductionOperation operation;
  bool counts = false; // adds one for each true element
};

std::optional<ReductionForm> formOf(Operation *op) {
  if (isa<hlfir::SumOp>(op))
    return ReductionForm{ReductionOperation::Add};
  if (isa<hlfir::ProductOp>(op))
    return ReductionForm{ReductionOperation::Multiply};
  if (isa<hlfir::MaxvalOp>(op))
    return ReductionForm{ReductionOperation::Max};
  if (isa<hlfir::MinvalOp>(op))
    return ReductionForm{ReductionOperation::Min};
  if (isa<hlfir::AllOp>(op))
    return ReductionForm{ReductionOperation::And};
  if (isa<hlfir::AnyOp>(op))
    return ReductionForm{ReductionOperation::Or};
  if (isa<hlfir::CountOp>(op))
    return ReductionForm{ReductionOperation::Add, true};
  return std::nullopt;
}

// sum, product, maxval, minval, any, all, count.
class Reduced : Computation {
public:
  Reduced(Operation *op, ReductionForm form, Value array, Value mask, Value dim)
      : Computation(op), form(form), array(array), mask(mask), dim(dim) {}

  bool run() {
    Type element = hlfir::getFortranElementType(op->getResult(0).getType());
    if (!isReducible(element, form.operation))
      return false;
    array = dereferenced(array);
    if (mask)
      mask = dereferenced(mask);
    if (!isa<hlfir::ExprType>(op->getResult(0).getType()))
      whole(element);
    else if (auto number = constantDim())
      along(*number, element);
    else
      return false;
    return true;
  }

private:
  std::optional<unsigned> constantDim() {
    llvm::APInt value;
    if (!dim || !matchPattern(dim, m_ConstantInt(&value)))
      return std::nullopt;
    return static_cast<unsigned>(value.getZExtValue() - 1);
  }

  // The largest and smallest values that MAXVAL and MINVAL of no elements give (F2018, 16.9.132).
  Value initial(Type type, ArrayRef<Value> sizes) {
    Value neutral = neutralValue(builder, loc, form.operation, type);
    auto real = dyn_cast<FloatType>(type);
    bool ordered =
        form.operation == ReductionOperation::Max || form.operation == ReductionOperation::Min;
    if (!real || !ordered)
      return neutral;
    llvm::APFloat huge = llvm::APFloat::getLargest(real.getFloatSemantics(),
                                                   form.operation == ReductionOperation::Max);
    Value total = constant(builder.getIndexType(), 1);
    for (Value size : sizes)
      total = arith::MulIOp::create(builder, loc, total, size);
    Value empty = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, total,
                                        constant(builder.getIndexType(), 0));
    return arith::SelectOp::create(builder, loc, empty, builder.createRealConstant(loc, type, huge),
                                   neutral);
  }

  // The accumulated value after one more element.
  Value next(Value sofar, ValueRange subscripts) {
    Value value = element(array, subscripts);
    if (form.counts)
      value = arith::SelectOp::create(builder, loc, asBit(value), constant(sofar.getType(), 1),
                                      constant(sofar.getType(), 0));
    else if (value.getType() != sofar.getType())
      value = fir::ConvertOp::create(builder, loc, sofar.getType(), value);
    Value combined = combine(builder, loc, form.operation, sofar, value);
    if (!mask)
      return combined;
    return arith::SelectOp::create(builder, loc, asBit(element(mask, subscripts)), combined, sofar);
  }

  void whole(Type type) {
    SmallVector<Value> sizes = extents(array);
    hlfir::DeclareOp result = variable(initial(type, sizes));
    overElements(sizes, result, form.operation, [&](ValueRange subscripts) {
      Value sofar = fir::LoadOp::create(builder, loc, result.getBase());
      hlfir::AssignOp::create(builder, loc, next(sofar, subscripts), result.getBase());
    });
    op->getResult(0).replaceAllUsesWith(fir::LoadOp::create(builder, loc, result.getBase()));
  }

  void along(unsigned number, Type type) {
    SmallVector<Value> sizes = extents(array);
    SmallVector<Value> resultSizes = sizes;
    resultSizes.erase(resultSizes.begin() + number);
    DeviceResult result(builder, op, resultSizes);
    Value start = initial(type, ArrayRef<Value>(sizes[number]));
    overElements(resultSizes, {}, std::nullopt, [&](ValueRange at) {
      Value one = constant(builder.getIndexType(), 1);
      auto loop = fir::DoLoopOp::create(builder, loc, one, sizes[number], one, false, false,
                                        ValueRange{start});
      {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(loop.getBody());
        SmallVector<Value> subscripts(at);
        subscripts.insert(subscripts.begin() + number, loop.getInductionVar());
        fir::ResultOp::create(builder, loc, next(loop.getRegionIterArgs()[0], subscripts));
      }
      result.store(at, loop.getResult(0));
    });
    result.replace();
  }

  ReductionForm form;
  Value array, mask, dim;
};

class DotProduct : Computation {
public:
  explicit DotProduct(hlfir::DotProductOp op)
      : Computation(op), left(op.getLhs()), right(op.getRhs()) {}

  bool run() {
    Type type = op->getResult(0).getType();
    auto operation = isa<fir::LogicalType>(type) ? ReductionOperation::Or : ReductionOperation::Add;
    if (!isReducible(type, operation))
      return false;
    left = dereferenced(left), right = dereferenced(right);
    hlfir::DeclareOp result = variable(neutralValue(builder, loc, operation, type));
    overElements(extents(left), result, operation, [&](ValueRange at) {
      Value sofar = fir::LoadOp::create(builder, loc, result.getBase());
      Value value = product(type, element(left, at), element(right, at));
      hlfir::AssignOp::create(builder, loc, combine(builder, loc, operation, sofar, value),
                              result.getBase());
    });
    op->getResult(0).replaceAllUsesWith(fir::LoadOp::create(builder, loc, result.getBase()));
    return true;
  }

private:
  // F2018, 16.9.68: the first argument is conjugated.
  Value product(Type type, Value a, Value b) {
    bool conjugate = isa<ComplexType>(a.getType());
    a = builder.createConvert(loc, type, a), b = builder.createConvert(loc, type, b);
    if (isa<fir::LogicalType>(type))
      return combine(builder, loc, ReductionOperation::And, a, b);
    if (conjugate) {
      Type part = cast<ComplexType>(type).getElementType();
      ArrayAttr second = builder.getArrayAttr(builder.getIntegerAttr(builder.getIndexType(), 1));
      Value imaginary = fir::ExtractValueOp::create(builder, loc, part, a, second);
      a = fir::InsertValueOp::create(builder, loc, type, a,
                                     arith::NegFOp::create(builder, loc, imaginary), second);
    }
    return combine(builder, loc, ReductionOperation::Multiply, a, b);
  }

  Value left, right;
};

// maxloc and minloc of a whole array.
class ElementLocation : Computation {
public:
  ElementLocation(Operation *op, bool max, Value array, Value mask, Value back)
      : Computation(op), max(max), array(array), mask(mask), back(back) {}

  bool run() {
    Type type = hlfir::getFortranElementType(array.getType());
    auto operation = max ? ReductionOperation::Max : ReductionOperation::Min;
    if (back || !isReducible(type, operation))
      return false;
    array = dereferenced(array);
    if (mask)
      mask = dereferenced(mask);
    SmallVector<Value> sizes = extents(array);
    hlfir::DeclareOp extreme = variable(neutralValue(builder, loc, operation, type));
    overElements(sizes, extreme, operation, [&](ValueRange at) {
      Value sofar = fir::LoadOp::create(builder, loc, extreme.getBase());
      Value value = combine(builder, loc, operation, sofar, element(array, at));
      hlfir::AssignOp::create(builder, loc, selected(at, value, sofar), extreme.getBase());
    });
    Type i64 = builder.getI64Type();
    hlfir::DeclareOp first = variable(neutralValue(builder, loc, ReductionOperation::Min, i64));
    Value wanted = fir::LoadOp::create(builder, loc, extreme.getBase());
    overElements(sizes, first, ReductionOperation::Min, [&](ValueRange at) {
      Value sofar = fir::LoadOp::create(builder, loc, first.getBase());
      Value number = fir::ConvertOp::create(builder, loc, i64, linear(sizes, at));
      Value earlier = combine(builder, loc, ReductionOperation::Min, sofar, number);
      Value found = equal(element(array, at), wanted);
      Value next = arith::SelectOp::create(builder, loc, found, earlier, sofar);
      hlfir::AssignOp::create(builder, loc, selected(at, next, sofar), first.getBase());
    });
    subscripts(sizes, fir::LoadOp::create(builder, loc, first.getBase()));
    return true;
  }

private:
  Value selected(ValueRange at, Value value, Value otherwise) {
    if (!mask)
      return value;
    return arith::SelectOp::create(builder, loc, asBit(element(mask, at)), value, otherwise);
  }

  Value equal(Value a, Value b) {
    if (isa<FloatType>(a.getType()))
      return arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, a, b);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
  }

  // The zero-based number of an element in array element order.
  Value linear(ArrayRef<Value> sizes, ValueRange at) {
    Value number = constant(builder.getIndexType(), 0), one = constant(builder.getIndexType(), 1);
    for (size_t i = sizes.size(); i-- > 0;) {
      number = arith::MulIOp::create(builder, loc, number, sizes[i]);
      number = arith::AddIOp::create(builder, loc, number,
                                     arith::SubIOp::create(builder, loc, at[i], one));
    }
    return number;
  }

  // The result: subscripts of element `number`, or zeros if there is none.
  void subscripts(ArrayRef<Value> sizes, Value number) {
    Type resultType = op->getResult(0).getType(), i64 = builder.getI64Type();
    Type kind = hlfir::getFortranElementType(resultType);
    Value none = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, number,
                                       neutralValue(builder, loc, ReductionOperation::Min, i64));
    Value rest = arith::SelectOp::create(builder, loc, none, constant(i64, 0), number);
    SmallVector<Value> values;
    for (Value size : sizes) {
      Value extent = arith::MaxSIOp::create(
          builder, loc, fir::ConvertOp::create(builder, loc, i64, size), constant(i64, 1));
      Value at = arith::AddIOp::create(
          builder, loc, arith::RemSIOp::create(builder, loc, rest, extent), constant(i64, 1));
      rest = arith::DivSIOp::create(builder, loc, rest, extent);
      at = arith::SelectOp::create(builder, loc, none, constant(i64, 0), at);
      values.push_back(builder.createConvert(loc, kind, at));
    }
    if (!isa<hlfir::ExprType>(resultType)) {
      op->getResult(0).replaceAllUsesWith(values.front());
      return;
    }
    Value size = constant(builder.getIndexType(), static_cast<int64_t>(values.size()));
    Value shape = fir::ShapeOp::create(builder, loc, ValueRange{size});
    Value memory = builder.createTemporary(
        loc, fir::SequenceType::get({static_cast<int64_t>(values.size())}, kind));
    auto declare = hlfir::DeclareOp::create(builder, loc, memory, "cufc.location", shape);
    for (auto [i, value] : llvm::enumerate(values)) {
      Value index = constant(builder.getIndexType(), static_cast<int64_t>(i) + 1);
      Value place = hlfir::DesignateOp::create(builder, loc, builder.getRefType(kind),
                                               declare.getBase(), ValueRange{index});
      hlfir::AssignOp::create(builder, loc, value, place);
    }
    Value result = hlfir::AsExprOp::create(builder, loc, declare.getBase());
    op->getResult(0).replaceAllUsesWith(builder.createConvert(loc, resultType, result));
  }

  bool max;
  Value array, mask, back;
};

// matmul, transpose and reshape, and elementals whose result goes to the device.
class Elementwise : Computation {
public:
  explicit Elementwise(Operation *op) : Computation(op) {}

  bool run() {
    if (auto matmul = dyn_cast<hlfir::MatmulOp>(op))
      return multiply(dereferenced(matmul.getLhs()), dereferenced(matmul.getRhs()));
    if (auto transpose = dyn_cast<hlfir::TransposeOp>(op)) {
      Value array = dereferenced(transpose.getArray());
      SmallVector<Value> sizes = extents(array);
      return compute({sizes[1], sizes[0]},
                     [&](ValueRange at) { return element(array, {at[1], at[0]}); });
    }
    if (auto reshape = dyn_cast<hlfir::ReshapeOp>(op))
      return rearrange(reshape);
    auto elemental = cast<hlfir::ElementalOp>(op);
    return compute(hlfir::getIndexExtents(loc, builder, elemental.getShape()), [&](ValueRange at) {
      hlfir::YieldElementOp yield = hlfir::inlineElementalOp(loc, builder, elemental, at);
      Value value = yield.getElementValue();
      yield.erase();
      return value;
    });
  }

private:
  bool compute(SmallVector<Value> sizes, llvm::function_ref<Value(ValueRange)> value) {
    Type type = hlfir::getFortranElementType(op->getResult(0).getType());
    if (!fir::isa_trivial(type))
      return false;
    DeviceResult result(builder, op, sizes);
    overElements(sizes, {}, std::nullopt, [&](ValueRange at) {
      result.store(at, builder.createConvert(loc, type, value(at)));
    });
    result.replace();
    return true;
  }

  bool multiply(Value left, Value right) {
    Type type = hlfir::getFortranElementType(op->getResult(0).getType());
    bool logical = isa<fir::LogicalType>(type);
    auto add = logical ? ReductionOperation::Or : ReductionOperation::Add;
    auto times = logical ? ReductionOperation::And : ReductionOperation::Multiply;
    SmallVector<Value> leftSizes = extents(left), rightSizes = extents(right), sizes;
    bool leftMatrix = leftSizes.size() == 2, rightMatrix = rightSizes.size() == 2;
    if (leftMatrix)
      sizes.push_back(leftSizes[0]);
    if (rightMatrix)
      sizes.push_back(rightSizes[1]);
    return compute(sizes, [&](ValueRange at) {
      Value one = constant(builder.getIndexType(), 1);
      Value start = neutralValue(builder, loc, add, type);
      auto loop = fir::DoLoopOp::create(builder, loc, one, rightSizes[0], one, false, false,
                                        ValueRange{start});
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      Value k = loop.getInductionVar();
      Value a = leftMatrix ? element(left, {at[0], k}) : element(left, {k});
      Value b = rightMatrix ? element(right, {k, at.back()}) : element(right, {k});
      Value term = combine(builder, loc, times, builder.createConvert(loc, type, a),
                           builder.createConvert(loc, type, b));
      fir::ResultOp::create(builder, loc,
                            combine(builder, loc, add, loop.getRegionIterArgs()[0], term));
      return loop.getResult(0);
    });
  }

  // Elements in array element order of both shapes (F2018, 16.9.163).
  bool rearrange(hlfir::ReshapeOp reshape) {
    if (reshape.getPad() || reshape.getOrder())
      return false;
    Value array = dereferenced(reshape.getArray());
    SmallVector<Value> from = extents(array), to;
    hlfir::Entity shape{reshape.getShape()};
    auto rank = cast<hlfir::ExprType>(op->getResult(0).getType()).getRank();
    for (unsigned i = 0; i < rank; ++i)
      to.push_back(builder.createConvert(
          loc, builder.getIndexType(),
          hlfir::loadElementAt(loc, builder, shape,
                               ValueRange{constant(builder.getIndexType(), i + 1)})));
    return compute(to, [&](ValueRange at) {
      Value one = constant(builder.getIndexType(), 1);
      Value number = constant(builder.getIndexType(), 0);
      for (size_t i = to.size(); i-- > 0;)
        number =
            arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, number, to[i]),
                                  arith::SubIOp::create(builder, loc, at[i], one));
      SmallVector<Value> source;
      for (Value size : from) {
        source.push_back(arith::AddIOp::create(
            builder, loc, arith::RemSIOp::create(builder, loc, number, size), one));
        number = arith::DivSIOp::create(builder, loc, number, size);
      }
      return element(array, source);
    });
  }
};

// Whether the result of an elemental is only copied to the device.
bool goesToDevice(hlfir::ElementalOp elemental) { return onlyTransferredToDevice(elemental); }

bool replaceIntrinsic(Operation *op) {
  if (auto form = formOf(op)) {
    auto [array, mask, dim] =
        llvm::TypeSwitch<Operation *, std::tuple<Value, Value, Value>>(op)
            .Case<hlfir::SumOp, hlfir::ProductOp, hlfir::MaxvalOp, hlfir::MinvalOp>([](auto o) {
              return std::tuple<Value, Value, Value>(o.getArray(), o.getMask(), o.getDim());
            })
            .Case<hlfir::AllOp, hlfir::AnyOp, hlfir::CountOp>([](auto o) {
              return std::tuple<Value, Value, Value>(o.getMask(), Value(), o.getDim());
            })
            .Default(std::tuple<Value, Value, Value>());
    return computesOnDevice(mask ? ValueRange{array, mask} : ValueRange{array}) &&
           Reduced(op, *form, array, mask, dim).run();
  }
  if (auto dot = dyn_cast<hlfir::DotProductOp>(op))
    return computesOnDevice({dot.getLhs(), dot.getRhs()}) && DotProduct(dot).run();
  auto location = [&](auto o, bool max) {
    SmallVector<Value> arguments{o.getArray()};
    if (o.getMask())
      arguments.push_back(o.getMask());
    return !o.getDim() && computesOnDevice(arguments) &&
           ElementLocation(op, max, o.getArray(), o.getMask(), o.getBack()).run();
  };
  if (auto maxloc = dyn_cast<hlfir::MaxlocOp>(op))
    return location(maxloc, true);
  if (auto minloc = dyn_cast<hlfir::MinlocOp>(op))
    return location(minloc, false);
  if (auto matmul = dyn_cast<hlfir::MatmulOp>(op))
    return computesOnDevice({matmul.getLhs(), matmul.getRhs()}) && Elementwise(op).run();
  if (auto transpose = dyn_cast<hlfir::TransposeOp>(op))
    return computesOnDevice(transpose.getArray()) && Elementwise(op).run();
  if (auto reshape = dyn_cast<hlfir::ReshapeOp>(op))
    return computesOnDevice(reshape.getArray()) && Elementwise(op).run();
  if (auto elemental = dyn_cast<hlfir::ElementalOp>(op))
    return goesToDevice(elemental) && computesOnDevice(op->getResult(0)) && Elementwise(op).run();
  return false;
}

// Erases an operation whose result is only destroyed, and elementals that only it has used.
void eraseUnused(Operation *op) {
  SmallVector<Operation *> users(op->getUsers());
  if (!llvm::all_of(users, [](Operation *user) { return isa<hlfir::DestroyOp>(user); }))
    return;
  for (Operation *user : users)
    user->erase();
  llvm::SetVector<Operation *> sources;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (auto elemental = operand.getDefiningOp<hlfir::ElementalOp>())
        sources.insert(elemental);
  });
  op->erase();
  for (Operation *source : sources)
    eraseUnused(source);
}

} // namespace

void computeOnDevice(ModuleOp module) {
  SmallVector<Operation *> intrinsics;
  for (auto function : module.getOps<func::FuncOp>())
    if (procedureAttribute(function) == cuf::ProcAttribute::Host)
      function.walk([&](Operation *op) {
        bool array =
            isa<hlfir::SumOp, hlfir::ProductOp, hlfir::MaxvalOp, hlfir::MinvalOp, hlfir::AllOp,
                hlfir::AnyOp, hlfir::CountOp, hlfir::DotProductOp, hlfir::MaxlocOp, hlfir::MinlocOp,
                hlfir::MatmulOp, hlfir::TransposeOp, hlfir::ReshapeOp, hlfir::ElementalOp>(op);
        if (array && !op->getParentOfType<cuf::KernelOp>() &&
            !op->getParentOfType<hlfir::ElementalOp>())
          intrinsics.push_back(op);
      });
  for (Operation *op : intrinsics)
    if (replaceIntrinsic(op)) {
      eraseUnused(op);
    }
}

} // namespace cufc
