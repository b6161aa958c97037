// See shared_labels.h. Two declarations may not have one name, so calls of the one without a label
// go through the address of the other:
//
//   fir.call @_QPdgemm(%a, %b) : (A, B) -> ()       // will be dgemm_, as the interface is
//
// becomes
//
//   %address = fir.address_of(@dgemm_) : (C, D) -> ()
//   %function = fir.convert %address : ((C, D) -> ()) -> ((A, B) -> ())
//   fir.call %function(%a, %b) : (A, B) -> ()
#include "lower/shared_labels.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cufc {
namespace {

using namespace mlir;

Value addressOf(func::FuncOp function, Type type, Operation *user) {
  OpBuilder builder(user);
  Value address = fir::AddrOfOp::create(builder, user->getLoc(), function.getFunctionType(),
                                        SymbolRefAttr::get(function.getSymNameAttr()));
  return builder.createOrFold<fir::ConvertOp>(user->getLoc(), type, address);
}

void callByAddress(fir::CallOp call, Value address) {
  OpBuilder builder(call);
  OperationState state(call.getLoc(), fir::CallOp::getOperationName());
  state.addOperands(address);
  state.addOperands(call.getOperands());
  state.addTypes(call.getResultTypes());
  call->replaceAllUsesWith(builder.create(state)->getResults());
  call.erase();
}

// True if nothing refers to `called` any more.
bool redirect(func::FuncOp called, func::FuncOp labelled) {
  auto uses = called.getSymbolUses(called->getParentOfType<ModuleOp>());
  if (!uses)
    return false;
  bool all = true;
  llvm::SmallVector<Operation *> users;
  for (SymbolTable::SymbolUse use : *uses)
    users.push_back(use.getUser());
  for (Operation *user : users) {
    auto taken = dyn_cast<fir::AddrOfOp>(user);
    auto call = dyn_cast<fir::CallOp>(user);
    if (taken) {
      taken.replaceAllUsesWith(addressOf(labelled, called.getFunctionType(), user));
      taken.erase();
    } else if (call) {
      callByAddress(call, addressOf(labelled, called.getFunctionType(), user));
    } else {
      all = false;
    }
  }
  return all;
}

struct SharedLabels : PassWrapper<SharedLabels, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SharedLabels)
  explicit SharedLabels(bool underscore) : underscore(underscore) {}
  llvm::StringRef getArgument() const override { return "cufc-shared-labels"; }
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (func::FuncOp function : llvm::to_vector(module.getOps<func::FuncOp>())) {
      auto [kind, names] = fir::NameUniquer::deconstruct(function.getSymName());
      if (kind != fir::NameUniquer::NameKind::PROCEDURE || !names.modules.empty() ||
          !names.procs.empty() || !function.isExternal())
        continue;
      auto labelled = module.lookupSymbol<func::FuncOp>(names.name + (underscore ? "_" : ""));
      if (labelled && redirect(function, labelled))
        function.erase();
    }
  }

private:
  bool underscore;
};

} // namespace
std::unique_ptr<Pass> createSharedLabels(bool underscore) {
  return std::make_unique<SharedLabels>(underscore);
}

} // namespace cufc
