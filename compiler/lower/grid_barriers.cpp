// Warns of a kernel that waits for the whole grid without being launched for it.
//
// SYNCTHREADS with a grid_group needs all blocks to run at the same time, which only the launch of
// a kernel with attributes(grid_global) provides; in another kernel it faults.
#include "base/diag.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "lower/device_procedures.h"
#include "lower/mlir_state.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <set>

namespace cufc {
namespace {

using namespace mlir;

constexpr llvm::StringLiteral gridBarrierProcedure = "cufc_group_sync_grid";

struct GridBarrierCheck : PassWrapper<GridBarrierCheck, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(GridBarrierCheck)
  explicit GridBarrierCheck(Diagnostics &diagnostics) : diagnostics(diagnostics) {}
  llvm::StringRef getArgument() const override { return "cufc-grid-barrier-check"; }

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (procedureAttribute(function) == cuf::ProcAttribute::Global)
        check(symbols, function);
  }

private:
  void check(SymbolTable &symbols, func::FuncOp kernel) {
    std::set<Operation *> seen{kernel};
    if (fir::CallOp call = waitingCall(symbols, kernel, seen))
      diagnostics.report(Diag::GridBarrierInPlainKernel, toSourceRange(call.getLoc()),
                         fir::NameUniquer::deconstruct(kernel.getSymName()).second.name);
  }

  // A call in `function` that waits for the grid, itself or in what it calls.
  fir::CallOp waitingCall(SymbolTable &symbols, func::FuncOp function,
                          std::set<Operation *> &seen) {
    fir::CallOp found;
    function.walk([&](fir::CallOp call) {
      if (!call.getCallee())
        return WalkResult::advance();
      llvm::StringRef name = call.getCallee()->getLeafReference().getValue();
      auto callee = symbols.lookup<func::FuncOp>(name);
      bool waits = name == gridBarrierProcedure ||
                   (callee && seen.insert(callee).second && waitingCall(symbols, callee, seen));
      if (waits)
        found = call;
      return waits ? WalkResult::interrupt() : WalkResult::advance();
    });
    return found;
  }

  Diagnostics &diagnostics;
};

} // namespace

std::unique_ptr<Pass> createGridBarrierCheck(Diagnostics &diagnostics) {
  return std::make_unique<GridBarrierCheck>(diagnostics);
}

} // namespace cufc
