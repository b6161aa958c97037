// A block that run_block runs as a whole, and that waits for the others of its grid on the way
// (CUFRT_WAITS_FOR_GRID). It has a stack of its own, so that whoever runs it can leave it where it
// waits and go on with it later, on any thread.
#ifndef CUFRT_HOST_WAITING_BLOCK_H
#define CUFRT_HOST_WAITING_BLOCK_H

#include "host/block_run.h"
#include "host/grid.h"

#include <cstdint>
#include <ucontext.h>

namespace cufrt::host {

class WaitingBlock : private cufrt_block {
public:
  WaitingBlock() = default;
  WaitingBlock(const WaitingBlock &) = delete;
  ~WaitingBlock();

  // Memory of an earlier grid is used again if it suffices. Ends what was left where it waited.
  void start(const Grid &grid, int64_t blockNumber);

  // Runs the block until it waits for the grid or has returned, in runGuarded (host/fault.h).
  Progress run();

  bool hasReturned() const { return progress == Progress::finished; }
  const cufrt_block &position() const { return *this; }

  // Says on stderr where its threads wait.
  void reportStuck(const Grid &grid) const;

  // Called by the block itself, on its stack.
  static void waitForGrid(const cufrt_block &block);

private:
  void makeContext();
  static void enter(unsigned upper, unsigned lower);

  const Grid *grid = nullptr;
  Progress progress = Progress::finished;
  bool isNew = false;    // has not run yet
  char *stack = nullptr; // from its lowest page on, which is inaccessible
  ucontext_t own{}, caller{};
  AlignedMemory sharedMemory, frameMemory;
};

} // namespace cufrt::host
#endif // CUFRT_HOST_WAITING_BLOCK_H
