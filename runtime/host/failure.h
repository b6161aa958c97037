// What went wrong first in a grid; only that is reported. Shared by the threads that run it.
#ifndef CUFRT_HOST_FAILURE_H
#define CUFRT_HOST_FAILURE_H

#include "host/block_run.h"
#include "host/check_reports.h"
#include "host/fault.h"
#include "host/waiting_block.h"

#include <atomic>

namespace cufrt::host {

class Failure {
public:
  bool happened() const { return first.load(std::memory_order_relaxed) != success; }

  // Of a BlockRun or a WaitingBlock.
  template <typename Block>
  void reportStuck(const Block &block, const Grid &grid) {
    if (isFirst(errorLaunchFailure))
      block.reportStuck(grid);
  }

  void reportFault(const Fault &fault, const Grid &grid, const cufrt_block &block) {
    if (isFirst(errorOf(fault)) && !fault.isReported)
      host::reportFault(fault, *grid.kernel, block);
  }

  // A kernel in which checks have found a mistake fails in the end.
  Error error() const {
    bool mistakes = takeMistakes();
    if (happened() || !mistakes)
      return first.load(std::memory_order_relaxed);
    return errorLaunchFailure;
  }

private:
  bool isFirst(Error error) {
    Error none = success;
    return first.compare_exchange_strong(none, error);
  }

  std::atomic<Error> first{success};
};

} // namespace cufrt::host
#endif // CUFRT_HOST_FAILURE_H
