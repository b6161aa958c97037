// See spread_loops.h. In a chunk the variable itself counts: all its values are of its type, so
// sums up to them do not wrap, and the loop ends at the last one, which the entry computes.
#include "lower/spread_loops.h"
#include "base/kernel_names.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "lower/covering_kernels.h"
#include "lower/runtime_calls.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/ADT/Sequence.h"

namespace cufc {

using namespace mlir;

SpreadLoops::SpreadLoops(OpBuilder &device, func::FuncOp kernel, llvm::ArrayRef<SpreadLoop> nest,
                         llvm::ArrayRef<unsigned> idle)
    : device(device), loc(kernel.getLoc()), kernel(kernel), nest(nest), idle(idle) {}

Value SpreadLoops::index(int64_t value) {
  return arith::ConstantIndexOp::create(device, loc, value);
}

Block *SpreadLoops::addBlock() {
  kernel.getBody().push_back(new Block);
  return &kernel.getBody().back();
}

void SpreadLoops::openEnd() { next = exit = addBlock(); }

llvm::SmallVector<Value> SpreadLoops::overGrid(bool reduces) {
  llvm::SmallVector<Spread> spreads;
  for (auto [i, loop] : llvm::enumerate(nest))
    spreads.push_back(spread(nest.size() - 1 - i, loop.trips, reduces));
  openEnd();
  llvm::SmallVector<Value> counters, numbers;
  for (auto [i, loop] : llvm::enumerate(nest))
    counters.push_back(loop.isNarrow ? openNarrowLoop(spreads[i]) : openLoop(spreads[i]));
  for (auto [i, loop] :
       llvm::enumerate(nest)) // in the innermost loop: codegen/gpu/spread_counters.h
    numbers.push_back(numberOf(loop, counters[i]));
  OpBuilder atEnd = OpBuilder::atBlockEnd(exit);
  func::ReturnOp::create(atEnd, loc);
  return numbers;
}

Value SpreadLoops::numberOf(const SpreadLoop &loop, Value trip) {
  auto sized = [&](Value v) { return device.createOrFold<fir::ConvertOp>(loc, trip.getType(), v); };
  Value number = device.createOrFold<arith::AddIOp>(
      loc, sized(loop.lower), device.createOrFold<arith::MulIOp>(loc, trip, sized(loop.step)));
  return device.createOrFold<fir::ConvertOp>(loc, loop.type, number);
}

SpreadLoops::Spread SpreadLoops::spread(unsigned d, Value trips, bool reduces) {
  if (d >= 3)
    return {index(0), trips, index(1), false, std::nullopt};
  auto [thread, threads] = gridPosition(device, loc, d);
  if (d == 0)
    thread = withoutDuplicates(thread, trips);
  bool isPosition = d != 0 || idle.empty();
  return {thread, trips, threads, d == 0 && reduces, isPosition ? std::optional(d) : std::nullopt};
}

// Threads along a dimension over which no loop is spread would do the same iterations again: of
// them only the first does any. The others begin with number `end`.
Value SpreadLoops::withoutDuplicates(Value first, Value end) {
  for (unsigned d : idle) {
    Value zero = index(0);
    Value other = arith::CmpIOp::create(device, loc, arith::CmpIPredicate::ne,
                                        gridPosition(device, loc, d).first, zero);
    first = arith::SelectOp::create(device, loc, other, end, first);
  }
  return first;
}

// As openLoop, with the counter in 32 bits without a sign: the type of the result. The grid may
// have more threads than the loop has iterations, so what is left is compared before the stride
// is added. Iterations that are counted may be 2**32, which end where the count is zero again.
Value SpreadLoops::openNarrowLoop(const Spread &by) {
  Type narrow = device.getI32Type();
  auto low = [&](Value v) -> Value { return fir::ConvertOp::create(device, loc, narrow, v); };
  Block *body = addBlock(), *following = addBlock();
  Value counter = body->addArgument(narrow, loc);
  Value most = index(UINT32_MAX);
  Value end = low(by.end), stride = low(arith::MinUIOp::create(device, loc, by.stride, most));
  auto any = arith::CmpIOp::create(device, loc, arith::CmpIPredicate::slt, by.first, by.end);
  if (by.dimension)
    markEntry(any, *by.dimension);
  Value first = low(by.first), begin = first, step = stride;
  if (by.counted) {
    step = arith::ConstantOp::create(device, loc, device.getI32IntegerAttr(1));
    begin = arith::SubIOp::create(device, loc, step, step);
    Value before =
        arith::SubIOp::create(device, loc, arith::SubIOp::create(device, loc, end, first), step);
    end = arith::AddIOp::create(device, loc, arith::DivUIOp::create(device, loc, before, stride),
                                step);
  }
  cf::CondBranchOp::create(device, loc, any, body, ValueRange{begin}, next, {});
  device.setInsertionPointToEnd(following);
  Value left = arith::SubIOp::create(device, loc, end, counter);
  auto goesOn = by.counted ? arith::CmpIPredicate::ne : arith::CmpIPredicate::ugt;
  Value more = arith::CmpIOp::create(device, loc, goesOn, left, step);
  Value sum = arith::AddIOp::create(device, loc, counter, step);
  markRepetition(cf::CondBranchOp::create(device, loc, more, body, ValueRange{sum}, next, {}));
  next = following;
  device.setInsertionPointToEnd(body);
  return by.counted ? afterwards(first, counter, stride) : counter;
}

// Begins a loop at the place of `device`, which is in its body then. The number of the iteration.
Value SpreadLoops::openLoop(const Spread &by) {
  Block *header = addBlock(), *body = addBlock(), *following = addBlock();
  Value counter = header->addArgument(device.getIndexType(), loc);
  Value first = by.first, end = by.end, step = by.stride;
  if (by.counted) {
    first = index(0);
    step = index(1);
    Value left = arith::SubIOp::create(device, loc, by.end, by.first);
    Value rest = arith::SubIOp::create(device, loc, by.stride, step);
    end = arith::DivSIOp::create(device, loc, arith::AddIOp::create(device, loc, left, rest),
                                 by.stride);
  }
  cf::BranchOp::create(device, loc, header, first);
  device.setInsertionPointToEnd(header);
  Value goesOn = arith::CmpIOp::create(device, loc, arith::CmpIPredicate::slt, counter, end);
  cf::CondBranchOp::create(device, loc, goesOn, body, next);
  device.setInsertionPointToEnd(following);
  Value sum = arith::AddIOp::create(device, loc, counter, step);
  cf::BranchOp::create(device, loc, header, sum);
  next = following;
  device.setInsertionPointToEnd(body);
  return by.counted ? afterwards(by.first, counter, by.stride) : counter;
}

Value SpreadLoops::afterwards(Value first, Value counter, Value stride) {
  return arith::AddIOp::create(device, loc, first,
                               arith::MulIOp::create(device, loc, counter, stride));
}

llvm::SmallVector<Value> SpreadLoops::inChunks(bool columns) {
  llvm::SmallVector<Chunk> chunks;
  for (auto [i, loop] : llvm::enumerate(nest))
    chunks.push_back(chunk(nest.size() - 1 - i, loop));
  openEnd();
  auto order = llvm::to_vector(llvm::seq<size_t>(nest.size()));
  if (columns && nest.size() > 1)
    std::swap(order.back(), order[nest.size() - 2]);
  llvm::SmallVector<Value> numbers(nest.size());
  for (size_t i : order)
    numbers[i] = openChunk(chunks[i], i == order.back());
  for (auto [i, loop] : llvm::enumerate(nest))
    numbers[i] = device.createOrFold<fir::ConvertOp>(loc, loop.type, numbers[i]);
  OpBuilder atEnd = OpBuilder::atBlockEnd(exit);
  func::ReturnOp::create(atEnd, loc);
  return numbers;
}

// The iterations are divided by the number of blocks and rounded up; so some blocks have none.
SpreadLoops::Chunk SpreadLoops::chunk(unsigned d, const SpreadLoop &loop) {
  Value first = index(0), end = loop.trips, one = index(1);
  auto add = [&](Value a, Value b) { return arith::AddIOp::create(device, loc, a, b); };
  auto multiply = [&](Value a, Value b) { return arith::MulIOp::create(device, loc, a, b); };
  if (d < 3) {
    auto [block, blocks] = blockPosition(device, loc, d);
    Value most = arith::SubIOp::create(device, loc, add(loop.trips, blocks), one);
    Value count = arith::DivSIOp::create(device, loc, most, blocks);
    first = multiply(block, count);
    end = arith::MinSIOp::create(device, loc, add(first, count), loop.trips);
  }
  if (d == 0)
    for (unsigned other : idle) {
      Value isOther = arith::CmpIOp::create(device, loc, arith::CmpIPredicate::ne,
                                            blockPosition(device, loc, other).first, index(0));
      first = arith::SelectOp::create(device, loc, isOther, end, first);
    }
  Type type = loop.isNarrow ? Type(device.getI32Type()) : Type(device.getIndexType());
  auto sized = [&](Value v) { return device.createOrFold<fir::ConvertOp>(loc, type, v); };
  Value isAny = arith::CmpIOp::create(device, loc, arith::CmpIPredicate::slt, first, end);
  Value last = arith::SubIOp::create(device, loc, end, one);
  return {sized(add(loop.lower, multiply(first, loop.step))),
          sized(add(loop.lower, multiply(last, loop.step))), sized(loop.step), isAny};
}

// The innermost loop is marked for codegen/cpu/cpu_forms.cpp.
Value SpreadLoops::openChunk(const Chunk &chunk, bool isInnermost) {
  Block *body = addBlock(), *following = addBlock();
  Value number = body->addArgument(chunk.first.getType(), loc);
  cf::CondBranchOp::create(device, loc, chunk.isAny, body, ValueRange{chunk.first}, next, {});
  device.setInsertionPointToEnd(following);
  Value done = arith::CmpIOp::create(device, loc, arith::CmpIPredicate::eq, number, chunk.last);
  Value sum =
      arith::AddIOp::create(device, loc, number, chunk.step, arith::IntegerOverflowFlags::nsw);
  if (isInnermost)
    callRuntime(device, loc, chunkEnd, {}, {});
  cf::CondBranchOp::create(device, loc, done, next, {}, body, ValueRange{sum});
  next = following;
  device.setInsertionPointToEnd(body);
  return number;
}

} // namespace cufc
