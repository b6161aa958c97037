// The loops of a CUF kernel, opened in its function in one of two forms. Private to lower/.
//
// On a GPU each loop strides by the whole grid from the thread's own position in it:
//
//   do i = first, trips, stride
//
// On a CPU one thread does the work of a block. A block is a chunk of the iterations of each loop,
// which lie beside each other: first, first + 1, ... below end.
#ifndef CUFC_LOWER_SPREAD_LOOPS_H
#define CUFC_LOWER_SPREAD_LOOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include <optional>

namespace cufc {

// Of a function that takes the place of a CUF kernel on a CPU.
inline constexpr const char *cpuFormAttribute = "cufc.cpu_form";

// One loop as the kernel sees it. Values are indices; `type` is that of its variable.
struct SpreadLoop {
  mlir::Value lower, step, trips;
  mlir::Type type;
  bool isNarrow; // the variable has at most 32 bits, so that its iterations can be counted so
};

class SpreadLoops {
public:
  // `idle` are dimensions of the grid without a loop that may have several threads nevertheless:
  // only the first along them does any iterations.
  SpreadLoops(mlir::OpBuilder &device, mlir::func::FuncOp kernel, llvm::ArrayRef<SpreadLoop> nest,
              llvm::ArrayRef<unsigned> idle);

  // Open the loops, the outermost one first; the place of `device` is in the innermost one then.
  // The values of their variables. `reduces`: a thread does many iterations. `columns`: in a chunk
  // the two innermost loops change places.
  llvm::SmallVector<mlir::Value> overGrid(bool reduces);
  llvm::SmallVector<mlir::Value> inChunks(bool columns);

  mlir::Block *latch() const { return next; } // where an iteration ends
  mlir::Block *end() const { return exit; }   // behind the loops; ends with a return

private:
  // What a thread does of a loop: the iterations first, first + stride, ... below end. They are
  // counted where a thread does many, since LLVM unrolls a loop whose count it knows; otherwise the
  // division would cost more than the loop.
  struct Spread {
    mlir::Value first, end, stride;
    bool counted = false;
    std::optional<unsigned> dimension; // of the grid, where `first` is the thread's number in it
  };
  // The variable's values in a chunk, and whether there are any.
  struct Chunk {
    mlir::Value first, last, step, isAny;
  };

  mlir::Block *addBlock();
  Spread spread(unsigned dimension, mlir::Value trips, bool reduces);
  mlir::Value withoutDuplicates(mlir::Value first, mlir::Value end);
  mlir::Value openNarrowLoop(const Spread &by);
  mlir::Value openLoop(const Spread &by);
  mlir::Value afterwards(mlir::Value first, mlir::Value counter, mlir::Value stride);
  mlir::Value numberOf(const SpreadLoop &loop, mlir::Value trip);
  Chunk chunk(unsigned dimension, const SpreadLoop &loop);
  mlir::Value openChunk(const Chunk &chunk, bool isInnermost);
  void openEnd();
  mlir::Value index(int64_t value);

  mlir::OpBuilder &device;
  mlir::Location loc;
  mlir::func::FuncOp kernel;
  llvm::ArrayRef<SpreadLoop> nest;
  llvm::ArrayRef<unsigned> idle;
  mlir::Block *next = nullptr, *exit = nullptr;
};

} // namespace cufc
#endif // CUFC_LOWER_SPREAD_LOOPS_H
