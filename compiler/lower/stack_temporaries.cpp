// Small temporaries of device code on the stack instead of the device's heap, which all threads
// share and wait for:
//
//   %t = fir.allocmem !fir.array<3xf32>; ...; fir.freemem %t   ->   %t = fir.alloca ...
//
// if all uses of the address are in sight: it is freed in this function or not at all, is stored
// nowhere and leaves no block. The memory is taken once, at the start of the function, for which
// threads of host code that share the function's memory must not share it.
#include "flang/Optimizer/Dialect/FIRDialect.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "flang/Optimizer/Support/DataLayout.h"
#include "lower/mlir_state.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cufc {
namespace {

using namespace mlir;

// A thread's stack lies in memory that the GPU reserves for all threads it can run at a time.
constexpr uint64_t mostBytes = 4096;

class Temporary {
public:
  explicit Temporary(fir::AllocMemOp allocation) : allocation(allocation) {}

  void moveToStack(Block &start) {
    if (isOfSeveralThreads() || !isSmall() || !isInSight(allocation.getResult()))
      return;
    OpBuilder builder(&start, start.begin());
    Value memory = fir::AllocaOp::create(builder, allocation.getLoc(), type);
    allocation.replaceAllUsesWith(
        fir::ConvertOp::create(builder, allocation.getLoc(), allocation.getType(), memory)
            .getResult());
    for (fir::FreeMemOp release : releases)
      release.erase();
    allocation.erase();
  }

private:
  // Whether they run this part of the procedure.
  bool isOfSeveralThreads() {
    for (Operation *around = allocation->getParentOp(); !isa<func::FuncOp>(around);
         around = around->getParentOp())
      if (!isa<fir::FIROpsDialect>(around->getDialect()) ||
          isa<fir::DoConcurrentOp, fir::DoConcurrentLoopOp>(around))
        return true;
    return false;
  }

  // The type with the extents that are constants.
  bool readType() {
    type = allocation.getInType();
    if (!allocation.getTypeparams().empty())
      return false;
    auto array = dyn_cast<fir::SequenceType>(type);
    if (!array || allocation.getShape().empty())
      return !fir::hasDynamicSize(type);
    fir::SequenceType::Shape shape(array.getShape());
    auto operand = allocation.getShape().begin();
    for (int64_t &extent : shape)
      if (extent == fir::SequenceType::getUnknownExtent()) {
        std::optional<int64_t> constant = fir::getIntIfConstant(*operand++);
        if (!constant || *constant < 0)
          return false;
        extent = *constant;
      }
    type = fir::SequenceType::get(shape, array.getEleTy());
    return !fir::hasDynamicSize(type);
  }

  bool isSmall() {
    if (!readType())
      return false;
    auto module = allocation->getParentOfType<ModuleOp>();
    fir::KindMapping kinds(allocation.getContext());
    std::optional<DataLayout> layout = fir::support::getOrSetMLIRDataLayout(module, true);
    auto size = fir::getTypeSizeAndAlignment(allocation.getLoc(), type, *layout, kinds);
    return size && size->first <= mostBytes;
  }

  bool isInSight(Value address) {
    return llvm::all_of(address.getUses(), [&](OpOperand &use) { return isInSight(use); });
  }

  bool isInSight(OpOperand &use) {
    Operation *op = use.getOwner();
    if (auto release = dyn_cast<fir::FreeMemOp>(op)) {
      releases.push_back(release);
      return true;
    }
    if (isa<fir::ConvertOp, fir::DeclareOp, fir::EmboxOp, fir::ReboxOp, fir::BoxAddrOp,
            fir::ArrayCoorOp, fir::CoordinateOp>(op))
      return isInSight(op->getResult(0));
    if (auto store = dyn_cast<fir::StoreOp>(op))
      return use.get() == store.getMemref();
    return isa<fir::LoadOp, fir::CallOp, fir::BoxDimsOp, fir::BoxEleSizeOp>(op);
  }

  fir::AllocMemOp allocation;
  Type type;
  llvm::SmallVector<fir::FreeMemOp> releases;
};

struct StackTemporaries : PassWrapper<StackTemporaries, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StackTemporaries)
  llvm::StringRef getArgument() const override { return "cufc-stack-temporaries"; }
  void runOnOperation() override {
    llvm::SmallVector<fir::AllocMemOp> allocations;
    getOperation().walk([&](fir::AllocMemOp op) { allocations.push_back(op); });
    for (fir::AllocMemOp allocation : allocations)
      Temporary(allocation).moveToStack(getOperation().front());
  }
};

} // namespace

std::unique_ptr<Pass> createStackTemporaries() { return std::make_unique<StackTemporaries>(); }

} // namespace cufc
