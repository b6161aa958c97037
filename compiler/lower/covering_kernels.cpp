// See covering_kernels.h. What a loop needs for a second iteration that never comes took a 7-point
// stencil from 24 to 37 registers, and its blocks a quarter of the places on a multiprocessor.
#include "lower/covering_kernels.h"
#include "base/kernel_names.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace cufc {

using namespace mlir;

namespace {

constexpr const char *repetition = "cufc.repetition";

template <typename X, typename Y, typename Z>
Value sizeAlong(OpBuilder &device, Location loc, unsigned d) {
  Type type = device.getI32Type();
  Value value = d == 0   ? X::create(device, loc, type).getResult()
                : d == 1 ? Y::create(device, loc, type).getResult()
                         : Z::create(device, loc, type).getResult();
  return arith::IndexCastOp::create(device, loc, device.getIndexType(), value);
}

} // namespace

void markRepetition(cf::CondBranchOp branch) {
  branch->setAttr(repetition, UnitAttr::get(branch.getContext()));
}

func::FuncOp withoutRepetitions(func::FuncOp kernel, SymbolTable &symbols) {
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
  for (size_t d = 0; d < trips.size(); ++d) {
    Value threads = arith::MulIOp::create(host, loc, wide(shape.grid[d]), wide(shape.block[d]));
    Value enough = arith::CmpIOp::create(host, loc, arith::CmpIPredicate::sge, threads,
                                         wide(trips[trips.size() - 1 - d]));
    all = all ? arith::AndIOp::create(host, loc, all, enough).getResult() : enough;
  }
  return all;
}

} // namespace cufc
