// Events of the host device: the time at which they were recorded.
#include "host/functions.h"
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
};

Handles<Event> &events() {
  static Handles<Event> *instance = new Handles<Event>;
  return *instance;
}

Error whetherEvent(void *event) {
  return events().contains(event) ? success : errorInvalidResourceHandle;
}

} // namespace

Error cudaEventCreate(void **event) { return cudaEventCreateWithFlags(event, 0); }

Error cudaEventCreateWithFlags(void **event, unsigned flags) {
  if (!event || flags & ~knownFlags)
    return errorInvalidValue;
  *event = events().create(Event{(flags & disableTiming) == 0, false, {}});
  return success;
}

Error cudaEventDestroy(void *event) {
  return events().destroy(event) ? success : errorInvalidResourceHandle;
}

Error cudaEventRecord(void *event, void *stream) {
  Event recorded;
  if (!isStream(stream) || !events().get(event, recorded))
    return errorInvalidResourceHandle;
  recorded.isRecorded = true;
  recorded.time = Clock::now();
  events().set(event, recorded);
  return success;
}

Error cudaEventSynchronize(void *event) { return whetherEvent(event); }
Error cudaEventQuery(void *event) { return whetherEvent(event); }

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
