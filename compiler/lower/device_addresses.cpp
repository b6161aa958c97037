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
//
// A pass gives scalars in constant memory their device address, which flang 23 leaves out:
//
//   %1 = fir.address_of(@_QMmEx)
//   %2 = fir.declare %1 {data_attr = #cuf.cuda<constant>}
//
// After, %1 is `cuf.device_address @_QMmEx`. Runs when flang has done so for other data.
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/mlir_state.h"

namespace cufc {

using namespace mlir;

namespace {

struct ConstantAddresses : PassWrapper<ConstantAddresses, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ConstantAddresses)
  llvm::StringRef getArgument() const override { return "cufc-constant-addresses"; }
  void runOnOperation() override {
    getOperation().walk([](fir::DeclareOp declare) {
      auto global = declare.getMemref().getDefiningOp<fir::AddrOfOp>();
      if (!global || declare.getDataAttr() != cuf::DataAttribute::Constant)
        return;
      OpBuilder builder(declare);
      Value address = cuf::DeviceAddressOp::create(builder, declare.getLoc(), global.getType(),
                                                   global.getSymbol());
      declare.getMemrefMutable().assign(address);
    });
  }
};

} // namespace

std::unique_ptr<Pass> createConstantAddresses() { return std::make_unique<ConstantAddresses>(); }

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
