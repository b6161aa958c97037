// MIN and MAX of real numbers in device code, for which a GPU has an instruction:
//
//   %c = arith.cmpf olt, %a, %b; arith.select %c, %a, %b   ->   arith.minnumf %a, %b
//
// To be run on what flang's lowering has made: there the comparison and the choice have the same
// operands for MIN and MAX alone, since MERGE loads its own. Where one argument is a NaN the result
// depends on the processor (Fortran 2018, 16.9.125); a GPU gives the other one. Numbers of 64 bits
// have no such instruction.
#include "lower/mlir_state.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace cufc {
namespace {

using namespace mlir;

struct RealExtremes : PassWrapper<RealExtremes, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RealExtremes)
  llvm::StringRef getArgument() const override { return "cufc-real-extremes"; }
  void runOnOperation() override {
    llvm::SmallVector<arith::SelectOp> choices;
    getOperation().walk([&](arith::SelectOp op) { choices.push_back(op); });
    for (arith::SelectOp choice : choices)
      replace(choice);
  }

private:
  static void replace(arith::SelectOp choice) {
    auto compare = choice.getCondition().getDefiningOp<arith::CmpFOp>();
    if (!compare || !choice.getType().isF32() || compare.getLhs() != choice.getTrueValue() ||
        compare.getRhs() != choice.getFalseValue())
      return;
    OpBuilder builder(choice);
    Value result;
    if (compare.getPredicate() == arith::CmpFPredicate::OLT)
      result =
          arith::MinNumFOp::create(builder, choice.getLoc(), compare.getLhs(), compare.getRhs());
    else if (compare.getPredicate() == arith::CmpFPredicate::OGT)
      result =
          arith::MaxNumFOp::create(builder, choice.getLoc(), compare.getLhs(), compare.getRhs());
    else
      return;
    choice.replaceAllUsesWith(result);
    choice.erase();
    if (compare->use_empty())
      compare.erase();
  }
};

} // namespace

std::unique_ptr<Pass> createRealExtremes() { return std::make_unique<RealExtremes>(); }

} // namespace cufc
