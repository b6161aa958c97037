// What went wrong first in a grid; only that is reported. Shared by the threads that run it.
#ifndef CUFRT_HOST_FAILURE_H
#define CUFRT_HOST_FAILURE_H

#include "host/block_run.h"
#include "host/fault.h"

#include <atomic>

namespace cufrt::host {

class Failure {
public:
  bool happened() const { return first.load(std::memory_order_relaxed) != success; }

  void reportStuck(const BlockRun &block, const Grid &grid) {
    if (isFirst(errorLaunchFailure))
      block.reportStuck(grid);
  }

  void reportFault(const Fault &fault, const Grid &grid, const cufrt_block &block) {
    if (isFirst(errorOf(fault)))
      host::reportFault(fault, *grid.kernel, block);
  }

  Error error() const { return first.load(std::memory_order_relaxed); }

private:
  bool isFirst(Error error) {
    Error none = success;
    return first.compare_exchange_strong(none, error);
  }

  std::atomic<Error> first{success};
};

} // namespace cufrt::host
#endif // CUFRT_HOST_FAILURE_H
