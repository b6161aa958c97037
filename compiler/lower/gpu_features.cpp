// Finds what not every GPU can do.
//
// Clusters of thread blocks and tensor cores for real(8) are recorded with the first GPU that has
// them; the driver compares it with -gpu. Barriers in shared memory and bulk copies, which flang
// lowers to PTX of its own, are reported as not supported.
#include "base/diag.h"
#include "flang/Optimizer/Dialect/CUF/Attributes/CUFAttr.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "lower/device_procedures.h"
#include "lower/mlir_state.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringSwitch.h"
#include <set>

namespace cufc {
namespace {

using namespace mlir;

constexpr int firstGpuWithClusters = 90, firstGpuWithDoubleMatrices = 80;

struct GpuFeatureCheck : PassWrapper<GpuFeatureCheck, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(GpuFeatureCheck)
  GpuFeatureCheck(DeviceFacts &facts, Diagnostics &diagnostics)
      : facts(facts), diagnostics(diagnostics) {}
  llvm::StringRef getArgument() const override { return "cufc-gpu-features"; }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function->hasAttr(cuf::getClusterDimsAttrName()))
        require("cluster_dims", firstGpuWithClusters, function);
      function.walk([&](Operation *op) {
        if (llvm::StringRef name = clusterProcedure(op); !name.empty())
          require(name, firstGpuWithClusters, op);
        if (isOnDoubleMatrices(op))
          require("an operation on matrices of real(8)", firstGpuWithDoubleMatrices, op);
        if (llvm::StringRef name = unsupported(op); !name.empty())
          reportUnsupported(name, op);
      });
    }
    if (diagnostics.hasErrors())
      signalPassFailure();
  }

private:
  static llvm::StringRef clusterProcedure(Operation *op) {
    llvm::StringRef name = op->getName().getStringRef();
    if (auto call = dyn_cast<fir::CallOp>(op); call && call.getCallee())
      return llvm::StringSwitch<llvm::StringRef>(call.getCallee()->getLeafReference().getValue())
          .Case("cufc_group_sync_cluster", "syncthreads of a cluster_group")
          .Case("cufc_group_map_shared", "cluster_map_shared_rank")
          .Default("");
    if (!name.consume_front("nvvm.read.ptx.sreg.cluster."))
      return "";
    return llvm::StringSwitch<llvm::StringRef>(name)
        .StartsWith("ctaid", "cluster_block_index")
        .StartsWith("nctaid", "cluster_dim_blocks")
        .Default("this_cluster");
  }

  static llvm::StringRef unsupported(Operation *op) {
    // It would change the device's copy of the pointer alone.
    if (isa<cuf::SyncDescriptorOp>(op))
      return "the assignment of a pointer that belongs to a module";
    llvm::StringRef name = op->getName().getStringRef();
    if (auto ptx = dyn_cast<NVVM::InlinePtxOp>(op))
      name = ptx.getPtxCode();
    if (name.contains("cp.async.bulk"))
      return "a bulk copy (tma_bulk_load and the like)";
    if (name.contains("mbarrier"))
      return "a barrier in shared memory (barrier_init and the like)";
    if (name.contains("fence.proxy"))
      return "fence_proxy_async";
    return isa<NVVM::InlinePtxOp>(op) ? "a procedure that is PTX in flang" : "";
  }

  // Of module wmma, whose procedures' names say the shape.
  static bool isOnDoubleMatrices(Operation *op) {
    auto call = dyn_cast<fir::CallOp>(op);
    llvm::StringRef name =
        call && call.getCallee() ? call.getCallee()->getLeafReference().getValue() : "";
    return name.starts_with("_QPcufc_matrix_") && name.contains("_m8n8k4_r8");
  }

  void require(llvm::StringRef what, int firstGpu, Operation *op) {
    if (isFirst(op))
      facts.features.push_back({what.str(), firstGpu, toSourceRange(op->getLoc())});
  }

  void reportUnsupported(llvm::StringRef what, Operation *op) {
    if (isFirst(op))
      diagnostics.report(Diag::DeviceUnsupportedCall, toSourceRange(op->getLoc()), what.str());
  }

  // One call of a procedure is several operations; the first stands for it.
  bool isFirst(Operation *op) {
    SourceRange place = toSourceRange(op->getLoc());
    return places.insert({place.line, place.column}).second;
  }

  DeviceFacts &facts;
  Diagnostics &diagnostics;
  std::set<std::pair<int, int>> places;
};

} // namespace

std::unique_ptr<Pass> createGpuFeatureCheck(DeviceFacts &facts, Diagnostics &diagnostics) {
  return std::make_unique<GpuFeatureCheck>(facts, diagnostics);
}

} // namespace cufc
