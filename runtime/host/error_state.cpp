// See error_state.h.
#include "host/error_state.h"
#include "host/functions.h"
#include "host/grid_run.h"
#include "host/memory_table.h"
#include "host/variables.h"

#include <atomic>

namespace cufrt::host {
namespace {

thread_local Error lastError = success;
std::atomic<Error> sticky{success};

} // namespace

Error recordError(Error error) {
  if (error != success)
    lastError = error;
  return error;
}

Error stickyError() { return sticky.load(std::memory_order_relaxed); }

void setStickyError(Error error) { sticky.store(error, std::memory_order_relaxed); }

Error cudaPeekAtLastError() {
  Error error = stickyError();
  return error != success ? error : lastError;
}

Error cudaGetLastError() {
  Error error = cudaPeekAtLastError();
  lastError = success;
  return error;
}

Error cudaDeviceReset() {
  waitForGrids();
  freeAllMemory();
  resetVariables();
  forgetStreams();
  forgetEvents();
  forgetArrays();
  setStickyError(success);
  lastError = success;
  return success;
}

} // namespace cufrt::host
