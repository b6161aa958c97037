// Subscripts are compared with the bounds of their arrays while the program runs (-gpu=check).
//
//   hlfir.designate %a (%i)
//
// becomes, for each subscript, with the lower bound and the extent that HLFIR knows of %a,
//
//   %outside = arith.cmpi uge, (%i - %lower), %extent
//   fir.if %outside { fir.call @cufrt_check_subscript(file, line, column, "a", 1, %i, ...) }
//   hlfir.designate %a (%i)
//
// The bounds of a section or substring depend on each other, so the runtime compares them. The
// asterisk of an assumed-size array has extent -1, with which nearly every difference is inside.
// Device code for GPUs leaves the calls out (codegen/access_checks.cpp).
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/mlir_state.h"
#include "lower/runtime_calls.h"
#include "lower/variable_names.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cufc {
namespace {

using namespace mlir;

// flang 22 computes the indices of an inlined CSHIFT with a difference that it declares never to be
// below zero, and is. LLVM would make of a comparison with such a value whatever it likes.
template <typename Operation>
void allowUnsignedOverflow(ModuleOp module) {
  module.walk([](Operation op) {
    op.setOverflowFlags(op.getOverflowFlags() & ~arith::IntegerOverflowFlags::nuw);
  });
}

class DesignatorChecks {
public:
  DesignatorChecks(hlfir::DesignateOp op, ModuleOp module, std::string name)
      : op(op), loc(op.getLoc()), builder(op.getOperation(), fir::getKindMapping(module)),
        name(std::move(name)) {}

  void add() {
    if (!op.getIndices().empty())
      checkSubscripts();
    if (!op.getSubstring().empty())
      checkSubstring();
  }

private:
  struct Bounds {
    Value lower, extent;
  };

  void checkSubscripts() {
    OperandRange indices = op.getIndices();
    size_t next = 0;
    for (auto [dimension, isTriplet] : llvm::enumerate(op.getIsTriplet())) {
      std::optional<Bounds> bounds = boundsOf(static_cast<unsigned>(dimension));
      if (!bounds)
        return;
      Value number = constant(static_cast<int64_t>(dimension) + 1);
      if (isTriplet)
        call("cufrt_check_section", {number, indices[next], indices[next + 1], indices[next + 2],
                                     bounds->lower, bounds->extent});
      else
        checkSubscript(number, wide(indices[next]), *bounds);
      next += isTriplet ? 3 : 1;
    }
  }

  std::optional<Bounds> boundsOf(unsigned dimension) {
    if (Value shape = op.getComponentShape()) {
      if (!isa<fir::ShapeType, fir::ShapeShiftType>(shape.getType()))
        return std::nullopt;
      auto rank = static_cast<unsigned>(op.getIsTriplet().size());
      return Bounds{wide(hlfir::genLowerbounds(loc, builder, shape, rank)[dimension]),
                    wide(hlfir::getIndexExtents(loc, builder, shape)[dimension])};
    }
    hlfir::Entity array(op.getMemref());
    if (array.isMutableBox() || array.isAssumedRank())
      return std::nullopt;
    return Bounds{wide(hlfir::genLBound(loc, builder, array, dimension)),
                  wide(hlfir::genExtent(loc, builder, array, dimension))};
  }

  void checkSubscript(Value number, Value index, Bounds bounds) {
    Value distance = arith::SubIOp::create(builder, loc, index, bounds.lower);
    Value outside =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge, distance, bounds.extent);
    auto branch = fir::IfOp::create(builder, loc, outside, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&branch.getThenRegion().front());
    call("cufrt_check_subscript", {number, index, bounds.lower, bounds.extent});
  }

  void checkSubstring() {
    Type element = fir::unwrapSequenceType(fir::unwrapPassByRefType(op.getMemref().getType()));
    Value length;
    if (!op.getComponent()) {
      length = hlfir::genCharLength(loc, builder, hlfir::Entity(op.getMemref()));
    } else {
      Type part = cast<fir::RecordType>(element).getType(*op.getComponent());
      auto character = dyn_cast<fir::CharacterType>(fir::unwrapSequenceType(part));
      if (!character || !character.hasConstantLen())
        return;
      length = constant(character.getLen());
    }
    call("cufrt_check_substring", {op.getSubstring()[0], op.getSubstring()[1], length});
  }

  void call(llvm::StringRef function, std::initializer_list<Value> numbers) {
    SourceRange place = toSourceRange(loc);
    llvm::SmallVector<Value> operands{textArgument(builder, loc, place.file), narrow(place.line),
                                      narrow(place.column), textArgument(builder, loc, name)};
    for (Value number : numbers)
      operands.push_back(wide(number));
    callRuntime(builder, loc, function, operands, {});
  }

  Value narrow(int value) {
    return builder.createIntegerConstant(loc, builder.getI32Type(), value);
  }
  Value constant(int64_t value) {
    return builder.createIntegerConstant(loc, builder.getI64Type(), value);
  }
  Value wide(Value value) { return builder.createConvert(loc, builder.getI64Type(), value); }

  hlfir::DesignateOp op;
  Location loc;
  fir::FirOpBuilder builder;
  std::string name;
};

struct BoundsChecks : PassWrapper<BoundsChecks, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BoundsChecks)
  llvm::StringRef getArgument() const override { return "cufc-bounds-checks"; }

  void runOnOperation() override {
    allowUnsignedOverflow<arith::AddIOp>(getOperation());
    allowUnsignedOverflow<arith::SubIOp>(getOperation());
    llvm::SmallVector<hlfir::DesignateOp> designators;
    getOperation().walk([&](hlfir::DesignateOp op) { designators.push_back(op); });
    for (hlfir::DesignateOp op : designators)
      if (std::string name = variableName(op.getResult()); !name.empty())
        DesignatorChecks(op, getOperation(), std::move(name)).add();
  }
};

} // namespace

std::unique_ptr<Pass> createBoundsChecks() { return std::make_unique<BoundsChecks>(); }

} // namespace cufc
