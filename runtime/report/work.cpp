// See work.h.
#include "report/work.h"
#include "core/settings.h"
#include "report/tallies.h"

#include <chrono>
#include <utility>
#include <vector>

namespace cufrt::report {
namespace {

struct Frame {
  Work work;
  bool captured = false;
};

std::vector<Frame> &frames() {
  thread_local std::vector<Frame> ofThread;
  return ofThread;
}

thread_local bool hasOrigin = false;
thread_local Origin originOfThread = Origin::call;

} // namespace

Work kernelWork(const void *stub) {
  return {Work::Kind::kernel, stub, nullptr, Direction::fill, Origin::call, 0};
}

Work transferWork(Direction direction, uint64_t bytes) {
  Origin origin = originOfThread;
  if (!hasOrigin && !frames().empty() && frames().front().work.kind == Work::Kind::library)
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

Running::Running(const Work &work) { frames().push_back({work}); }

Running::~Running() { frames().pop_back(); }

bool Running::wasCaptured() const { return frames().back().captured; }

std::function<Error()> measuredOperation(std::function<Error()> operation) {
  if (frames().empty())
    return operation;
  frames().back().captured = true;
  return [operation = std::move(operation), work = frames().back().work] {
    int64_t start = clockReading();
    Error error = operation();
    if (error == success)
      noteReplay(work, clockReading() - start);
    return error;
  };
}

} // namespace cufrt::report
