// The operands of an expression have one shape (Fortran 2018, 10.1.5), of which flang takes the
// first one's. Extents that another one has as numbers take the place of those:
//
//   sum((points(:, j) - x)**2), real :: x(3)     three terms, not as many as points has lines
//
// so that loops over them are unrolled, and what they read of a thread's arrays is in registers.
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Builder/HLFIRTools.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/mlir_state.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>

namespace cufc {
namespace {

using namespace mlir;

using Extents = llvm::SmallVector<std::optional<int64_t>, 4>; // none: not known

Extents extentsOf(Value shape) {
  Extents extents;
  if (auto made = shape.getDefiningOp<fir::ShapeOp>())
    for (Value extent : made.getExtents())
      extents.push_back(getConstantIntValue(extent));
  return extents;
}

Extents extentsOf(llvm::ArrayRef<int64_t> dimensions) {
  Extents extents;
  for (int64_t extent : dimensions)
    extents.push_back(extent == fir::SequenceType::getUnknownExtent() ? std::nullopt
                                                                      : std::optional(extent));
  return extents;
}

// Of an array or an expression whose elements are read.
Extents extentsOfRead(Value read) {
  if (auto expression = dyn_cast<hlfir::ExprType>(read.getType())) {
    auto made = read.getDefiningOp<hlfir::ElementalOp>();
    Extents extents = made ? extentsOf(made.getShape()) : Extents();
    return extents.empty() ? extentsOf(expression.getShape()) : extents;
  }
  auto array = dyn_cast<fir::SequenceType>(hlfir::getFortranElementOrSequenceType(read.getType()));
  return array ? extentsOf(array.getShape()) : Extents();
}

class Elemental {
public:
  explicit Elemental(hlfir::ElementalOp op) : op(op), extents(extentsOf(op.getShape())) {}

  void run() {
    const Extents before = extents;
    op.getRegion().walk([&](Operation *inside) {
      if (auto element = dyn_cast<hlfir::DesignateOp>(inside)) {
        if (!element.getComponent() && element.getSubstring().empty() &&
            llvm::none_of(element.getIsTriplet(), [](bool is) { return is; }))
          add(element.getMemref(), element.getIndices());
      } else if (auto element = dyn_cast<hlfir::ApplyOp>(inside)) {
        add(element.getExpr(), element.getIndices());
      }
    });
    if (extents != before)
      replaceShape();
  }

private:
  // That of an operand whose elements are those with the same indices as the result's.
  void add(Value read, OperandRange indices) {
    const Extents known = extentsOfRead(read);
    if (known.size() != indices.size())
      return;
    for (auto [dimension, index] : llvm::enumerate(indices))
      for (auto [own, number] : llvm::enumerate(op.getIndices()))
        if (index == number && own < extents.size() && !extents[own])
          extents[own] = known[dimension];
  }

  void replaceShape() {
    auto shape = op.getShape().getDefiningOp<fir::ShapeOp>();
    OpBuilder builder(op);
    llvm::SmallVector<Value> values;
    for (auto [extent, old] : llvm::zip(extents, shape.getExtents()))
      values.push_back(extent ? arith::ConstantIndexOp::create(builder, op.getLoc(), *extent)
                              : old);
    op.getShapeMutable().assign(fir::ShapeOp::create(builder, op.getLoc(), values));
  }

  hlfir::ElementalOp op;
  Extents extents;
};

struct KnownExtents : PassWrapper<KnownExtents, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(KnownExtents)

  llvm::StringRef getArgument() const override { return "cufc-known-extents"; }

  void runOnOperation() override {
    getOperation().walk<WalkOrder::PreOrder>([](hlfir::ElementalOp op) { Elemental(op).run(); });
  }
};

} // namespace

std::unique_ptr<Pass> createKnownExtents() { return std::make_unique<KnownExtents>(); }

} // namespace cufc
