// Assignment of derived types in device code.
//
// flang lowers it to a call of its run-time library, which device code does not have. Without
// allocatable or pointer parts, bounds or defined assignment, it is a copy of the bytes.
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/device_procedures.h"
#include "lower/mlir_state.h"
#include "lower/type_sizes.h"

namespace cufc {
namespace {

using namespace mlir;

struct CopyDerivedTypes : PassWrapper<CopyDerivedTypes, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CopyDerivedTypes)
  llvm::StringRef getArgument() const override { return "cufc-copy-derived-types"; }

  void runOnOperation() override {
    llvm::SmallVector<hlfir::AssignOp> assignments;
    getOperation().walk([&](hlfir::AssignOp assign) {
      if (isPlainCopy(assign))
        assignments.push_back(assign);
    });
    for (hlfir::AssignOp assign : assignments) {
      OpBuilder builder(assign);
      fir::CopyOp::create(builder, assign.getLoc(), assign.getRhs(), assign.getLhs(), false);
      assign.erase();
    }
  }

  static bool isPlainCopy(hlfir::AssignOp assign) {
    auto from = dyn_cast<fir::ReferenceType>(assign.getRhs().getType());
    auto to = dyn_cast<fir::ReferenceType>(assign.getLhs().getType());
    if (!from || !to || from.getEleTy() != to.getEleTy() || assign.isAllocatableAssignment())
      return false;
    return isPlainRecord(to.getEleTy());
  }
};

} // namespace

std::unique_ptr<Pass> createCopyDerivedTypes() { return std::make_unique<CopyDerivedTypes>(); }

} // namespace cufc
