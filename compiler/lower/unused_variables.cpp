// Drops module variables and constants that a procedure does not use.
//
// flang declares everything that USE makes visible in every procedure; module cudafor alone has
// some three hundred constants. Every later pass would walk over them.
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/mlir_state.h"
#include "llvm/ADT/StringSet.h"

namespace cufc {

using namespace mlir;

void dropUnusedVariables(ModuleOp module) {
  llvm::SmallVector<Operation *> unused;
  module.walk([&](hlfir::DeclareOp declare) {
    if (declare->use_empty() && declare.getMemref().getDefiningOp<fir::AddrOfOp>())
      unused.push_back(declare);
  });
  for (Operation *declare : unused) {
    Operation *address = declare->getOperand(0).getDefiningOp();
    declare->erase();
    if (address->use_empty())
      address->erase();
  }
  llvm::StringSet<> named;
  module.walk([&](fir::AddrOfOp address) {
    named.insert(address.getSymbol().getLeafReference().getValue());
  });
  for (auto global : llvm::make_early_inc_range(module.getOps<fir::GlobalOp>()))
    if (!global.isInitialized() && !named.contains(global.getSymName()))
      global.erase();
}

} // namespace cufc
