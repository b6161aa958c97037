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
// Device code for GPUs leaves the calls out (codegen/cpu/access_checks.cpp).
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/device_procedures.h"
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

// Calls of the runtime at an operation: its place, a variable's name, and values.
class CheckCalls {
public:
  CheckCalls(Operation *at, ModuleOp module, std::string name)
      : loc(at->getLoc()), builder(at, fir::getKindMapping(module)), name(std::move(name)) {}

protected:
  void call(llvm::StringRef function, llvm::ArrayRef<Value> values) {
    SourceRange place = toSourceRange(loc);
    llvm::SmallVector<Value> operands{textArgument(builder, loc, place.file), narrow(place.line),
                                      narrow(place.column), textArgument(builder, loc, name)};
    operands.append(values.begin(), values.end());
    callRuntime(builder, loc, function, operands, {});
  }

  Value bytesAt(Value address) {
    return builder.createConvert(loc, fir::ReferenceType::get(builder.getI8Type()), address);
  }
  Value narrow(int value) {
    return builder.createIntegerConstant(loc, builder.getI32Type(), value);
  }
  Value constant(int64_t value) {
    return builder.createIntegerConstant(loc, builder.getI64Type(), value);
  }
  Value wide(Value value) { return builder.createConvert(loc, builder.getI64Type(), value); }

  Location loc;
  fir::FirOpBuilder builder;
  std::string name;
};

class DesignatorChecks : CheckCalls {
public:
  DesignatorChecks(hlfir::DesignateOp op, ModuleOp module, std::string name)
      : CheckCalls(op, module, std::move(name)), op(op) {}

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
        call("cufrt_check_section", {number, wide(indices[next]), wide(indices[next + 1]),
                                     wide(indices[next + 2]), bounds->lower, bounds->extent});
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
    call("cufrt_check_substring",
         {wide(op.getSubstring()[0]), wide(op.getSubstring()[1]), wide(length)});
  }

  hlfir::DesignateOp op;
};

// An array that the caller of a kernel or a device procedure passes has all elements that the dummy
// declares. Of types whose size is in the type.
class DummyCheck : CheckCalls {
public:
  DummyCheck(hlfir::DeclareOp op, ModuleOp module)
      : CheckCalls(op, module, variableName(op.getResult(0))), op(op) {}

  void add() {
    auto array = dyn_cast<fir::SequenceType>(fir::unwrapPassByRefType(op.getMemref().getType()));
    std::optional<int64_t> size = array ? sizeOf(array.getEleTy()) : std::nullopt;
    if (!size || !op.getShape() || isa<fir::BaseBoxType>(op.getMemref().getType()))
      return;
    builder.setInsertionPointAfter(op);
    Value bytes = constant(*size);
    for (Value extent : hlfir::getIndexExtents(loc, builder, op.getShape())) {
      if (extent.getDefiningOp<fir::AssumedSizeExtentOp>())
        return;
      bytes = arith::MulIOp::create(builder, loc, bytes, wide(extent));
    }
    call("cufrt_check_dummy", {bytesAt(op.getMemref()), bytes});
  }

private:
  static std::optional<int64_t> sizeOf(Type element) {
    if (isa<IntegerType, FloatType>(element))
      return (element.getIntOrFloatBitWidth() + 7) / 8;
    if (auto logical = dyn_cast<fir::LogicalType>(element))
      return logical.getFKind();
    if (auto complex = dyn_cast<ComplexType>(element))
      return 2 * ((complex.getElementType().getIntOrFloatBitWidth() + 7) / 8);
    return std::nullopt;
  }

  hlfir::DeclareOp op;
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
    llvm::SmallVector<hlfir::DeclareOp> dummies;
    getOperation().walk([&](func::FuncOp function) {
      if (isDeviceProcedure(function))
        function.walk([&](hlfir::DeclareOp op) {
          if (isa<BlockArgument>(op.getMemref()) && op.getDummyScope())
            dummies.push_back(op);
        });
    });
    for (hlfir::DeclareOp op : dummies)
      DummyCheck(op, getOperation()).add();
  }
};

} // namespace

std::unique_ptr<Pass> createBoundsChecks() { return std::make_unique<BoundsChecks>(); }

} // namespace cufc
