// Host code from FIR to the LLVM dialect. Device attributes are dropped first: to the host, module
// device data is an ordinary symbol whose address is the key of the device's copy.
#include "flang/Optimizer/Dialect/CUF/Attributes/CUFAttr.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "lower/llvm_conversion.h"
#include "lower/mlir_state.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace cufc {
namespace {

using namespace mlir;

// flang frees device data by the entry point for any data unless it is module data. Ours does the
// same (runtime/core/allocate.cpp), and knows the statement when the device reports an error.
void redirectDeallocations(ModuleOp module) {
  const char *ours = "_FortranACUFAllocatableDeallocate";
  for (const char *name : {"_FortranAAllocatableDeallocate", "_FortranAPointerDeallocate"}) {
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
    if (!function)
      continue;
    auto target = StringAttr::get(module.getContext(), ours);
    if (failed(SymbolTable::replaceAllSymbolUses(function, target, module)))
      continue;
    if (module.lookupSymbol(target))
      function.erase();
    else
      function.setSymName(ours);
  }
}

struct HostLowering : PassWrapper<HostLowering, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HostLowering)
  llvm::StringRef getArgument() const override { return "cufc-host-lowering"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto global : module.getOps<fir::GlobalOp>())
      global.removeDataAttrAttr();
    auto nothingMore = [](fir::LLVMTypeConverter &, RewritePatternSet &) {};
    if (failed(expandMath(module)) ||
        failed(convertToLlvmDialect(module, /*ignoreTypeDescriptors=*/false, nothingMore)))
      return signalPassFailure();
    redirectDeallocations(module);
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
      for (const char *name :
           {"cuf.proc_attr", "cuf.launch_bounds", "cuf.cluster_dims", byValueAttribute})
        function->removeAttr(name);
  }
};

} // namespace

std::unique_ptr<Pass> createHostLowering() { return std::make_unique<HostLowering>(); }

} // namespace cufc
