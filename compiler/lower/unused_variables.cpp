// Drops module variables and constants that a procedure does not use.
//
// flang declares everything that USE makes visible in every procedure; module cudafor alone has
// some three hundred constants. Every later pass would walk over them.
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "lower/debug_variables.h"
#include "lower/device_procedures.h"
#include "lower/mlir_state.h"
#include "llvm/ADT/StringSet.h"

namespace cufc {

using namespace mlir;

namespace {

// The address of a variable. That of a VOLATILE one is cast; one of a COMMON block, or with
// EQUIVALENCE, is a place in the block's bytes.
bool isVariableAddress(Value address) {
  while (Operation *made = address.getDefiningOp()) {
    if (isa<fir::AddrOfOp>(made))
      return true;
    if (!isa<fir::VolatileCastOp, fir::ConvertOp, fir::CoordinateOp>(made))
      return false;
    address = made->getOperand(0);
  }
  return false;
}

void eraseWithOperands(Operation *operation) {
  while (operation && operation->use_empty()) {
    Value operand = operation->getNumOperands() ? operation->getOperand(0) : Value();
    operation->erase();
    operation = operand ? operand.getDefiningOp() : nullptr;
  }
}

// A module variable, in a procedure of host code. Constants have no place in debug information.
bool isOfHostCode(hlfir::DeclareOp declare) {
  auto function = declare->getParentOfType<func::FuncOp>();
  auto [kind, name] = fir::NameUniquer::deconstruct(declare.getUniqName());
  return function && !isDeviceProcedure(function) && kind == fir::NameUniquer::NameKind::VARIABLE &&
         !fir::NameUniquer::isSpecialSymbol(declare.getUniqName());
}

} // namespace

void dropUnusedVariables(ModuleOp module) {
  bool forDebugger = module->hasAttr(debuggerAttribute);
  llvm::SmallVector<Operation *> unused;
  module.walk([&](hlfir::DeclareOp declare) {
    if (declare->use_empty() && isVariableAddress(declare.getMemref()) &&
        !(forDebugger && isOfHostCode(declare)))
      unused.push_back(declare);
  });
  for (Operation *declare : unused)
    eraseWithOperands(declare);
  llvm::StringSet<> named;
  module.walk([&](fir::AddrOfOp address) {
    named.insert(address.getSymbol().getLeafReference().getValue());
  });
  for (auto global : llvm::make_early_inc_range(module.getOps<fir::GlobalOp>()))
    if (!global.isInitialized() && !named.contains(global.getSymName()))
      global.erase();
}

} // namespace cufc
