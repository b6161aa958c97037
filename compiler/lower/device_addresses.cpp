// Makes c_devloc give the device address of module data.
//
// flang's lowering of it boxes the global itself, of which the host has only a shadow, instead of
// what its declaration stands for; flang's own passes turn just the latter into the device address.
// Before:
//
//   %1 = fir.address_of(@_QMmEx)
//   %2:2 = hlfir.declare %1 {data_attr = #cuf.cuda<device>}
//   %3 = fir.embox %1
//
// After, %3 is `fir.embox %2#1`. Runs before unused declarations are dropped.
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/mlir_state.h"

namespace cufc {

using namespace mlir;

void addressModuleData(ModuleOp module) {
  module.walk([](hlfir::DeclareOp declare) {
    Value global = declare.getMemref();
    if (!declare.getDataAttr() || !global.getDefiningOp<fir::AddrOfOp>())
      return;
    global.replaceUsesWithIf(declare.getOriginalBase(), [](OpOperand &use) {
      return isa<fir::EmboxOp, fir::BoxAddrOp, fir::ConvertOp>(use.getOwner());
    });
  });
}

} // namespace cufc
