// Host code from FIR to the LLVM dialect. Device attributes are dropped first: to the host, module
// device data is an ordinary symbol whose address is the key of the device's copy.
#include "flang/Optimizer/Dialect/CUF/Attributes/CUFAttr.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "lower/llvm_conversion.h"
#include "lower/mlir_state.h"
#include "lower/simpler_arithmetic.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/Matchers.h"

namespace cufc {
namespace {

using namespace mlir;

void redirect(ModuleOp module, llvm::StringRef name, llvm::StringRef ours) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  auto target = StringAttr::get(module.getContext(), ours);
  if (!function || failed(SymbolTable::replaceAllSymbolUses(function, target, module)))
    return;
  if (module.lookupSymbol(target))
    function.erase();
  else
    function.setSymName(ours);
}

// flang frees and moves device data by the entry points for any data unless it is module data. Ours
// do the same (runtime/core/allocate.cpp, move_allocation.cpp), update the device's copies of
// descriptors, and know the statement when the device reports an error.
void redirectAllocations(ModuleOp module) {
  for (const char *name : {"_FortranAAllocatableDeallocate", "_FortranAPointerDeallocate",
                           "_FortranACUFPointerDeallocate", deallocateRoutine})
    redirect(module, name, "_FortranACUFAllocatableDeallocate");
  redirect(module, "_FortranAMoveAlloc", "_FortranACUFMoveAlloc");
}

// Functions of flang's library that ours do faster for arrays of intrinsic types (runtime/core/
// array_assignment.cpp, array_constructors.cpp, array_results.cpp).
void redirectArrays(ModuleOp module) {
  redirect(module, "_FortranAAssign", "cufrt_assign");
  redirect(module, "_FortranAPointerAllocate", "cufrt_allocate_pointer");
  redirect(module, "_FortranAPack", "cufrt_pack");
  redirect(module, "_FortranASpread", "cufrt_spread");
  redirect(module, "_FortranAPushArrayConstructorValue", "cufrt_push_value");
  redirect(module, "_FortranAPushArrayConstructorSimpleScalar", "cufrt_push_scalar");
}

// flang puts each descriptor of device data into managed memory, temporary ones too, which it never
// frees. Kernels get descriptors by value here, so that the host's can be on the stack:
//   %d = llvm.call @_FortranACUFAllocDescriptor(%bytes, ...)   becomes   %d = llvm.alloca %bytes x
//   i8
// in the entry block, where the descriptors of host data are; in code that threads share out, in
// that of each thread.
Block *allocationBlock(Operation *op) {
  if (auto outlined = op->getParentOfType<omp::OutlineableOpenMPOpInterface>())
    return outlined.getAllocaBlock();
  for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
    if (isa<omp::PrivateClauseOp, omp::DeclareReductionOp>(parent))
      return &op->getParentRegion()->front();
  return &op->getParentOfType<LLVM::LLVMFuncOp>().getBody().front();
}

void putDescriptorsOnStack(ModuleOp module) {
  SmallVector<LLVM::CallOp> allocations, releases;
  module.walk([&](LLVM::CallOp call) {
    if (call.getCallee() == "_FortranACUFAllocDescriptor")
      allocations.push_back(call);
    else if (call.getCallee() == "_FortranACUFFreeDescriptor")
      releases.push_back(call);
  });
  for (LLVM::CallOp call : releases)
    call.erase();
  for (LLVM::CallOp call : allocations) {
    APInt bytes;
    auto function = call->getParentOfType<LLVM::LLVMFuncOp>();
    if (!matchPattern(call.getOperand(0), m_ConstantInt(&bytes)) || !function)
      continue;
    Block *block = allocationBlock(call);
    OpBuilder builder(block, block->begin());
    Value one = LLVM::ConstantOp::create(builder, call.getLoc(), builder.getI64IntegerAttr(1));
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.getZExtValue());
    Value memory = LLVM::AllocaOp::create(builder, call.getLoc(),
                                          LLVM::LLVMPointerType::get(builder.getContext()), type,
                                          one, /*alignment=*/8);
    call.getResult().replaceAllUsesWith(memory);
    call.erase();
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
    simplifyArithmetic(module, /*isDevice=*/false);
    if (failed(expandMath(module)) ||
        failed(convertToLlvmDialect(module, /*ignoreTypeDescriptors=*/false, nothingMore)))
      return signalPassFailure();
    redirectAllocations(module);
    redirectArrays(module);
    putDescriptorsOnStack(module);
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
      for (const char *name :
           {"cuf.proc_attr", "cuf.launch_bounds", "cuf.cluster_dims", byValueAttribute})
        function->removeAttr(name);
  }
};

} // namespace

std::unique_ptr<Pass> createHostLowering() { return std::make_unique<HostLowering>(); }

} // namespace cufc
