// See work.h.
#include "report/work.h"
#include "core/settings.h"
#include "report/tallies.h"

#include <chrono>
#include <utility>

namespace cufrt::report {
namespace {

thread_local Running *innermost = nullptr;
thread_local bool hasOrigin = false;
thread_local Origin originOfThread = Origin::call;

} // namespace

Work kernelWork(const void *stub) {
  return {Work::Kind::kernel, stub, nullptr, Direction::fill, Origin::call, 0};
}

Work transferWork(Direction direction, uint64_t bytes) {
  Origin origin = originOfThread;
  for (Running *running = innermost; running && !hasOrigin; running = running->around)
    if (running->work.kind == Work::Kind::library)
      origin = Origin::library;
  return {Work::Kind::transfer, nullptr, nullptr, direction, origin, bytes};
}

Work libraryWork(const char *module, const char *function) {
  return {Work::Kind::library, function, module, Direction::fill, Origin::library, 0};
}

int64_t clockReading() {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

OriginScope::OriginScope(Origin origin) : isOutermost(settings().report && !hasOrigin) {
  if (!isOutermost)
    return;
  hasOrigin = true;
  originOfThread = origin;
}

OriginScope::~OriginScope() {
  if (!isOutermost)
    return;
  hasOrigin = false;
  originOfThread = Origin::call;
}

Running::Running(const Work &work) : work(work), around(std::exchange(innermost, this)) {}

Running::~Running() { innermost = around; }

std::function<Error()> measuredOperation(std::function<Error()> operation) {
  if (!innermost)
    return operation;
  innermost->captured = true;
  return [operation = std::move(operation), work = innermost->work] {
    int64_t start = clockReading();
    Error error = operation();
    if (error == success)
      noteReplay(work, clockReading() - start);
    return error;
  };
}

} // namespace cufrt::report
