// WHERE over few elements of a thread's own arrays:
//
//   where (t < limit)           mask(k) = t(k) < limit
//     t = t + 4            =>   if (mask(k)) own(k) = t(k) + 4
//   elsewhere                   if (mask(k)) t(k) = own(k)
//     t = 2*t                   ...
//   end where                   if (.not. mask(k)) own(k) = 2*t(k)
//
// flang packs the values of the elements that the mask chooses if they are computed of the array
// that they are for: where one lies is known at run time alone, so that they, and the array, are in
// local memory. Loops of constant count are unrolled, and all of this is in registers then.
// Elements that are not chosen are not computed.
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/mlir_state.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace cufc {
namespace {

using namespace mlir;

constexpr int64_t mostElements = 64;

using Shape = fir::SequenceType::Shape;

// Whether a variable, or what it is part of, is on the thread's stack.
bool isOwn(Value variable) {
  while (Operation *op = variable.getDefiningOp()) {
    if (!isa<hlfir::DesignateOp, hlfir::DeclareOp>(op))
      return isa<fir::AllocaOp>(op);
    variable = op->getOperand(0);
  }
  return false;
}

hlfir::YieldOp yieldOf(Region &region) {
  return cast<hlfir::YieldOp>(region.front().getTerminator());
}

class WhereLoops {
public:
  explicit WhereLoops(hlfir::WhereOp op)
      : op(op), loc(op.getLoc()),
        builder(op.getOperation(), fir::getKindMapping(op->getParentOfType<ModuleOp>())) {}

  void run() {
    if (!readShape() || !areSimple(op.getMaskRegion(), op.getBody()))
      return;
    builder.setInsertionPoint(op);
    where(op.getMaskRegion(), op.getBody(), {});
    op.erase();
  }

private:
  bool readShape() {
    hlfir::Entity mask{yieldOf(op.getMaskRegion()).getEntity()};
    shape = shapeOf(mask);
    int64_t elements = 1;
    for (int64_t extent : shape)
      if (extent == fir::SequenceType::getUnknownExtent() || (elements *= extent) > mostElements)
        return false;
    return !shape.empty();
  }

  static Shape shapeOf(hlfir::Entity entity) {
    auto type = dyn_cast<fir::SequenceType>(entity.getElementOrSequenceType());
    return type ? Shape(type.getShape()) : Shape();
  }

  bool areSimple(Region &mask, Region &body) {
    if (!mask.empty() && shapeOf(hlfir::Entity{yieldOf(mask).getEntity()}) != shape)
      return false;
    return llvm::all_of(body.front(), [&](Operation &part) {
      if (auto assign = dyn_cast<hlfir::RegionAssignOp>(part))
        return isSimple(assign);
      if (auto inner = dyn_cast<hlfir::WhereOp>(part))
        return areSimple(inner.getMaskRegion(), inner.getBody());
      if (auto rest = dyn_cast<hlfir::ElseWhereOp>(part))
        return areSimple(rest.getMaskRegion(), rest.getBody());
      return isa<fir::FirEndOp>(part);
    });
  }

  bool isSimple(hlfir::RegionAssignOp assign) {
    auto to = yieldOf(assign.getLhsRegion()), of = yieldOf(assign.getRhsRegion());
    hlfir::Entity left{to.getEntity()}, right{of.getEntity()};
    auto isNumber = [](Type type) {
      return fir::isa_integer(type) || isa<FloatType, fir::LogicalType>(type);
    };
    Type element = left.getFortranElementType(), value = right.getFortranElementType();
    return assign.getUserDefinedAssignment().empty() && isOwn(left) && !left.isMutableBox() &&
           !right.isMutableBox() && shapeOf(left) == shape &&
           (right.isScalar() || shapeOf(right) == shape) &&
           (element == value ? isNumber(element) || isa<ComplexType>(element)
                             : isNumber(element) && isNumber(value));
  }

  // `control` is what is around: an array of truth values, or null.
  void where(Region &mask, Region &body, Value control) {
    Value chosen = newArray(builder.getI1Type(), ".where");
    IRMapping map;
    hlfir::Entity values{evaluate(mask, map)};
    overElements([&](ValueRange place) {
      Value no = builder.createBool(loc, false);
      Value is = control ? ifTrue(element(control, place), no, [&] { return truth(values, place); })
                         : truth(values, place);
      store(is, chosen, place);
    });
    finish(mask, map);
    assignments(body, chosen, control);
  }

  void assignments(Region &body, Value chosen, Value control) {
    for (Operation &part : body.front())
      if (auto assign = dyn_cast<hlfir::RegionAssignOp>(part)) {
        this->assign(assign, chosen);
      } else if (auto inner = dyn_cast<hlfir::WhereOp>(part)) {
        where(inner.getMaskRegion(), inner.getBody(), chosen);
      } else if (auto rest = dyn_cast<hlfir::ElseWhereOp>(part)) {
        Value others = remaining(chosen, control);
        if (rest.getMaskRegion().empty())
          assignments(rest.getBody(), others, others);
        else
          where(rest.getMaskRegion(), rest.getBody(), others);
      }
  }

  Value remaining(Value chosen, Value control) {
    Value others = newArray(builder.getI1Type(), ".where");
    overElements([&](ValueRange place) {
      Value yes = builder.createBool(loc, true);
      Value is = arith::XOrIOp::create(builder, loc, element(chosen, place), yes);
      if (control)
        is = arith::AndIOp::create(builder, loc, is, element(control, place));
      store(is, others, place);
    });
    return others;
  }

  void assign(hlfir::RegionAssignOp assign, Value chosen) {
    IRMapping map;
    hlfir::Entity right{evaluate(assign.getRhsRegion(), map)};
    Type type = hlfir::Entity{yieldOf(assign.getLhsRegion()).getEntity()}.getFortranElementType();
    auto value = [&](ValueRange place) {
      hlfir::Entity one =
          right.isScalar() ? right : hlfir::getElementAt(loc, builder, right, place);
      return builder.createConvert(loc, type, hlfir::loadTrivialScalar(loc, builder, one));
    };
    Value own; // since the value may need elements of the array that it is for
    if (!right.isScalar()) {
      own = newArray(type, ".own");
      overChosen(chosen, [&](ValueRange place) { store(value(place), own, place); });
    }
    hlfir::Entity left{evaluate(assign.getLhsRegion(), map)};
    overChosen(chosen, [&](ValueRange place) {
      Value result = own ? element(own, place) : value(place);
      fir::StoreOp::create(builder, loc, result, hlfir::getElementAt(loc, builder, left, place));
    });
    finish(assign.getLhsRegion(), map);
    finish(assign.getRhsRegion(), map);
  }

  // What a region yields, here. What is evaluated once for all elements is so anyway.
  Value evaluate(Region &region, IRMapping &map) {
    for (Operation &step : region.front().without_terminator())
      if (auto once = dyn_cast<hlfir::ExactlyOnceOp>(step))
        map.map(once.getResult(), evaluate(once.getBody(), map));
      else
        builder.clone(step, map);
    return map.lookupOrDefault(yieldOf(region).getEntity());
  }

  void finish(Region &region, IRMapping &map) {
    Region &cleanup = yieldOf(region).getCleanup();
    if (!cleanup.empty())
      for (Operation &step : cleanup.front())
        if (!isa<fir::FirEndOp>(step))
          builder.clone(step, map);
    for (Operation &step : llvm::reverse(region.front().without_terminator()))
      if (auto once = dyn_cast<hlfir::ExactlyOnceOp>(step))
        finish(once.getBody(), map);
  }

  Value newArray(Type element, llvm::StringRef name) {
    Value memory = builder.createTemporary(loc, fir::SequenceType::get(shape, element), name);
    Value extents = fir::ShapeOp::create(builder, loc, extentValues());
    return hlfir::DeclareOp::create(builder, loc, memory, name, extents).getBase();
  }

  llvm::SmallVector<Value> extentValues() {
    llvm::SmallVector<Value> extents;
    for (int64_t extent : shape)
      extents.push_back(builder.createIntegerConstant(loc, builder.getIndexType(), extent));
    return extents;
  }

  Value element(Value array, ValueRange place) {
    return fir::LoadOp::create(builder, loc,
                               hlfir::getElementAt(loc, builder, hlfir::Entity{array}, place));
  }

  void store(Value value, Value array, ValueRange place) {
    fir::StoreOp::create(builder, loc, value,
                         hlfir::getElementAt(loc, builder, hlfir::Entity{array}, place));
  }

  Value truth(hlfir::Entity mask, ValueRange place) {
    hlfir::Entity one = hlfir::getElementAt(loc, builder, mask, place);
    return builder.createConvert(loc, builder.getI1Type(),
                                 hlfir::loadTrivialScalar(loc, builder, one));
  }

  void overElements(llvm::function_ref<void(ValueRange)> body) {
    OpBuilder::InsertionGuard guard(builder);
    hlfir::LoopNest nest = hlfir::genLoopNest(loc, builder, extentValues(), /*isUnordered=*/true);
    builder.setInsertionPointToStart(nest.body);
    body(nest.oneBasedIndices);
  }

  void overChosen(Value chosen, llvm::function_ref<void(ValueRange)> body) {
    overElements([&](ValueRange place) {
      auto choice = fir::IfOp::create(builder, loc, element(chosen, place), /*withElse=*/false);
      builder.setInsertionPointToStart(&choice.getThenRegion().front());
      body(place);
    });
  }

  Value ifTrue(Value condition, Value otherwise, llvm::function_ref<Value()> value) {
    return builder.genIfOp(loc, {builder.getI1Type()}, condition, /*withElseRegion=*/true)
        .genThen([&] { fir::ResultOp::create(builder, loc, value()); })
        .genElse([&] { fir::ResultOp::create(builder, loc, otherwise); })
        .getResults()[0];
  }

  hlfir::WhereOp op;
  Location loc;
  fir::FirOpBuilder builder;
  Shape shape;
};

struct WhereLoopsPass : PassWrapper<WhereLoopsPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WhereLoopsPass)
  llvm::StringRef getArgument() const override { return "cufc-where-loops"; }
  void runOnOperation() override {
    llvm::SmallVector<hlfir::WhereOp> found;
    getOperation().walk([&](hlfir::WhereOp op) {
      if (!op->getParentOfType<hlfir::WhereOp>() && !op->getParentOfType<hlfir::ForallOp>())
        found.push_back(op);
    });
    for (hlfir::WhereOp op : found)
      WhereLoops(op).run();
  }
};

} // namespace

std::unique_ptr<Pass> createWhereLoops() { return std::make_unique<WhereLoopsPass>(); }

} // namespace cufc
