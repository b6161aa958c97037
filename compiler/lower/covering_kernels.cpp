// See covering_kernels.h. What a loop needs for a second iteration that never comes took a 7-point
// stencil from 24 to 37 registers, and its blocks a quarter of the places on a multiprocessor. Nor
// do threads find out for one loop after the other, with numbers of 64 bits, that they have
// something to do.
#include "lower/covering_kernels.h"
#include "base/kernel_names.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace cufc {

using namespace mlir;

namespace {

constexpr const char *repetition = "cufc.repetition", *entryOfLoop = "cufc.entry";

template <typename X, typename Y, typename Z>
Value narrowSizeAlong(OpBuilder &device, Location loc, unsigned d) {
  Type type = device.getI32Type();
  return d == 0   ? X::create(device, loc, type).getResult()
         : d == 1 ? Y::create(device, loc, type).getResult()
                  : Z::create(device, loc, type).getResult();
}

template <typename X, typename Y, typename Z>
Value sizeAlong(OpBuilder &device, Location loc, unsigned d) {
  return arith::IndexCastOp::create(device, loc, device.getIndexType(),
                                    narrowSizeAlong<X, Y, Z>(device, loc, d));
}

// Number of this thread in the grid along dimension d, which 32 bits hold.
Value narrowPosition(OpBuilder &device, Location loc, unsigned d) {
  Value thread = narrowSizeAlong<NVVM::ThreadIdXOp, NVVM::ThreadIdYOp, NVVM::ThreadIdZOp>(device,
                                                                                          loc, d),
        block =
            narrowSizeAlong<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp>(device, loc, d),
        threads = narrowSizeAlong<NVVM::BlockDimXOp, NVVM::BlockDimYOp, NVVM::BlockDimZOp>(device,
                                                                                           loc, d);
  auto flags = arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  Value before = arith::MulIOp::create(device, loc, block, threads, flags);
  return arith::AddIOp::create(device, loc, before, thread, flags);
}

// One comparison for all loops, before the first of them.
void enterAtOnce(func::FuncOp kernel, std::optional<unsigned> before) {
  llvm::SmallVector<arith::CmpIOp> entries;
  kernel.walk([&](arith::CmpIOp comparison) {
    if (comparison->hasAttr(entryOfLoop))
      entries.push_back(comparison);
  });
  if (entries.empty())
    return;
  OpBuilder device(entries.front());
  Location loc = entries.front().getLoc();
  Value all;
  for (arith::CmpIOp entry : entries) {
    auto d = static_cast<unsigned>(entry->getAttrOfType<IntegerAttr>(entryOfLoop).getInt());
    Value position = narrowPosition(device, loc, d);
    if (d == 0 && before) // below 0 is above all counts
      position = arith::SubIOp::create(device, loc, position, kernel.getArgument(*before));
    Value count = fir::ConvertOp::create(device, loc, device.getI32Type(), entry.getRhs());
    Value any = arith::CmpIOp::create(device, loc, arith::CmpIPredicate::ult, position, count);
    all = all ? arith::AndIOp::create(device, loc, all, any).getResult() : any;
    Value wide = arith::IndexCastUIOp::create(device, loc, device.getIndexType(), position);
    entry.getLhs().replaceUsesWithIf(wide, [&](OpOperand &use) {
      return use.getOwner() != entry && isa<fir::ConvertOp>(use.getOwner());
    });
  }
  Value entered = arith::ConstantOp::create(device, loc, device.getBoolAttr(true));
  for (arith::CmpIOp entry : entries) {
    entry.replaceAllUsesWith(entry == entries.front() ? all : entered);
    entry.erase();
  }
}

} // namespace

void markRepetition(cf::CondBranchOp branch) {
  branch->setAttr(repetition, UnitAttr::get(branch.getContext()));
}

void markEntry(arith::CmpIOp comparison, unsigned d) {
  comparison->setAttr(entryOfLoop,
                      IntegerAttr::get(IntegerType::get(comparison.getContext(), 32), d));
}

func::FuncOp withoutRepetitions(func::FuncOp kernel, SymbolTable &symbols,
                                std::optional<unsigned> before) {
  auto copy = cast<func::FuncOp>(kernel->clone());
  symbols.remove(kernel);
  kernel.setName((kernel.getSymName() + repeatingSuffix).str());
  symbols.insert(kernel);
  symbols.insert(copy);
  copy.walk([&](cf::CondBranchOp branch) {
    if (!branch->hasAttr(repetition))
      return;
    OpBuilder builder(branch);
    Value never = arith::ConstantOp::create(builder, branch.getLoc(), builder.getBoolAttr(false));
    branch.getConditionMutable().assign(never);
  });
  enterAtOnce(copy, before);
  return copy;
}

std::pair<Value, Value> blockPosition(OpBuilder &device, Location loc, unsigned d) {
  Value block = sizeAlong<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp>(device, loc, d),
        blocks = sizeAlong<NVVM::GridDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp>(device, loc, d);
  return {block, blocks};
}

std::pair<Value, Value> gridPosition(OpBuilder &device, Location loc, unsigned d) {
  Value thread = sizeAlong<NVVM::ThreadIdXOp, NVVM::ThreadIdYOp, NVVM::ThreadIdZOp>(device, loc, d),
        block = sizeAlong<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp>(device, loc, d),
        threads =
            sizeAlong<NVVM::BlockDimXOp, NVVM::BlockDimYOp, NVVM::BlockDimZOp>(device, loc, d),
        blocks = sizeAlong<NVVM::GridDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp>(device, loc, d);
  Value base = arith::MulIOp::create(device, loc, block, threads);
  return {arith::AddIOp::create(device, loc, base, thread),
          arith::MulIOp::create(device, loc, blocks, threads)};
}

Value coversLoops(OpBuilder &host, Location loc, const KernelShape &shape,
                  llvm::ArrayRef<Value> trips) {
  auto wide = [&](Value v) { return host.createOrFold<fir::ConvertOp>(loc, host.getI64Type(), v); };
  Value all;
  Value none = arith::ConstantOp::create(host, loc, host.getI64IntegerAttr(0)),
        most = arith::ConstantOp::create(host, loc, host.getI64IntegerAttr(INT32_MAX));
  for (size_t d = 0; d < trips.size(); ++d) {
    Value count = wide(trips[trips.size() - 1 - d]); // below 0 where there is no iteration
    Value threads = arith::MulIOp::create(host, loc, wide(shape.grid[d]), wide(shape.block[d]));
    Value enough = arith::CmpIOp::create(host, loc, arith::CmpIPredicate::sge, threads, count);
    Value few = arith::CmpIOp::create(host, loc, arith::CmpIPredicate::sle, threads, most);
    Value any = arith::CmpIOp::create(host, loc, arith::CmpIPredicate::sge, count, none);
    for (Value condition : {enough, few, any})
      all = all ? arith::AndIOp::create(host, loc, all, condition).getResult() : condition;
  }
  return all;
}

} // namespace cufc
