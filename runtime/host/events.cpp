// Events of the host device: the time at which they were recorded, or the place in a graph.
#include "host/capture.h"
#include "host/handles.h"

#include <chrono>

namespace cufrt::host {
namespace {

constexpr unsigned knownFlags = 7;    // blocking sync, disable timing, interprocess
constexpr unsigned disableTiming = 2; // cudaEventDisableTiming

using Clock = std::chrono::steady_clock;

struct Event {
  bool hasTiming;
  bool isRecorded;
  Clock::time_point time;
  CapturedPoint point; // of the graph, if it was recorded in a capturing stream
};

Handles<Event> &events() {
  static Handles<Event> *instance = new Handles<Event>;
  return *instance;
}

// An event in a graph has no state that could be asked for.
Error whetherHappened(void *event) {
  Event found;
  if (!events().get(event, found))
    return errorInvalidResourceHandle;
  return found.point.capture ? errorCapturedEvent : success;
}

} // namespace

Error cudaEventCreate(void **event) { return cudaEventCreateWithFlags(event, 0); }

Error cudaEventCreateWithFlags(void **event, unsigned flags) {
  if (!event || flags & ~knownFlags)
    return errorInvalidValue;
  *event = events().create(Event{(flags & disableTiming) == 0, false, {}, {}});
  return success;
}

Error cudaEventDestroy(void *event) {
  return events().destroy(event) ? success : errorInvalidResourceHandle;
}

Error cudaEventRecord(void *event, void *stream) {
  Event recorded;
  if (!isStream(stream) || !events().get(event, recorded))
    return errorInvalidResourceHandle;
  if (Error error = pointOf(stream, recorded.point))
    return error;
  recorded.isRecorded = !recorded.point.capture;
  recorded.time = Clock::now();
  events().set(event, recorded);
  return success;
}

Error cudaEventSynchronize(void *event) { return whetherHappened(event); }
Error cudaEventQuery(void *event) { return whetherHappened(event); }

Error cudaStreamWaitEvent(void *stream, void *event, unsigned flags) {
  Event found;
  if (!isStream(stream) || !events().get(event, found))
    return errorInvalidResourceHandle;
  if (flags > 1)
    return errorInvalidValue;
  return waitFor(stream, found.point);
}

Error cudaEventElapsedTime(float *milliseconds, void *start, void *end) {
  Event first, last;
  if (!milliseconds)
    return errorInvalidValue;
  if (!events().get(start, first) || !events().get(end, last))
    return errorInvalidResourceHandle;
  if (!first.hasTiming || !last.hasTiming || !first.isRecorded || !last.isRecorded)
    return errorInvalidResourceHandle;
  *milliseconds = std::chrono::duration<float, std::milli>(last.time - first.time).count();
  return success;
}

void forgetEvents() { events().clear(); }

} // namespace cufrt::host
