// Array intrinsics of device data in host code, at HLFIR level.
//
//   s = sum(a_d * b_d)      a reduction; also product, maxval, minval, any, all, count, dot_product
//   k = maxloc(a_d)         two reductions: the value, then the first element that has it
//   c = sum(a_d, dim=1)     one thread an element of the result
//   s = sum(a_d, stream=t)  in a stream (stream_arguments.h)
//
// Arguments may be expressions: elementals are inlined into the kernel. What also reads arrays of
// the host is left to the host, which then copies the device's (host_reads.cpp).
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/device_computation.h"
#include "lower/device_procedures.h"
#include "lower/mlir_state.h"
#include "lower/stream_arguments.h"
#include "lower/temporaries.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace cufc {
namespace {

using namespace mlir;
using llvm::SmallVector;

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
  // `streamCall` names the stream, if the program does.
  Reduced(Operation *op, ReductionForm form, Value array, Value mask, Value dim,
          fir::CallOp streamCall)
      : Computation(op), form(form), array(array), mask(mask), dim(dim), streamCall(streamCall) {}

  bool run() {
    Type element = hlfir::getFortranElementType(op->getResult(0).getType());
    if (!isReducible(element, form.operation))
      return false;
    array = dereferenced(array);
    if (mask)
      mask = dereferenced(mask);
    if (streamCall)
      stream = streamOf(builder, streamCall);
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
    if (streamCall) // what reads the result does not know of the stream
      builder.clone(*streamCall);
    result.replace();
  }

  ReductionForm form;
  Value array, mask, dim;
  fir::CallOp streamCall;
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
  ElementLocation(Operation *op, bool max, Value array, Value mask, Value back,
                  fir::CallOp streamCall)
      : Computation(op), max(max), array(array), mask(mask), back(back), streamCall(streamCall) {}

  bool run() {
    Type type = hlfir::getFortranElementType(array.getType());
    auto operation = max ? ReductionOperation::Max : ReductionOperation::Min;
    if (back || !isReducible(type, operation))
      return false;
    array = dereferenced(array);
    if (mask)
      mask = dereferenced(mask);
    if (streamCall)
      stream = streamOf(builder, streamCall);
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
  fir::CallOp streamCall;
};

// After the kernels are made: what named their stream is done.
bool isInStream(fir::CallOp streamCall) {
  if (streamCall)
    removeStreamCall(streamCall);
  return true;
}

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
    fir::CallOp stream = streamCallIn(mask ? mask : array);
    if (isOnlyStreamCall(mask))
      mask = {};
    return computesOnDevice(mask ? ValueRange{array, mask} : ValueRange{array}) &&
           Reduced(op, *form, array, mask, dim, stream).run() && isInStream(stream);
  }
  if (auto dot = dyn_cast<hlfir::DotProductOp>(op))
    return computesOnDevice({dot.getLhs(), dot.getRhs()}) && DotProduct(dot).run();
  auto location = [&](auto o, bool max) {
    SmallVector<Value> arguments{o.getArray()};
    fir::CallOp stream = streamCallIn(o.getMask());
    Value mask = isOnlyStreamCall(o.getMask()) ? Value() : o.getMask();
    if (mask)
      arguments.push_back(mask);
    return !o.getDim() && computesOnDevice(arguments) &&
           ElementLocation(op, max, o.getArray(), mask, o.getBack(), stream).run() &&
           isInStream(stream);
  };
  if (auto maxloc = dyn_cast<hlfir::MaxlocOp>(op))
    return location(maxloc, true);
  if (auto minloc = dyn_cast<hlfir::MinlocOp>(op))
    return location(minloc, false);
  return computeElementwise(op);
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
