// See order.h. Events are used again; a stream is kept for each device. Both end with
// cudaDeviceReset, after which new ones are made.
#include "mpi/order.h"
#include "cufrt/device.h"

#include <map>
#include <mutex>
#include <vector>

namespace cufrt::mpi {
namespace {

constexpr unsigned withoutTime = 2; // cudaEventDisableTiming
constexpr unsigned nonBlocking = 1; // cudaStreamNonBlocking

struct Kept {
  std::mutex mutex;
  std::vector<void *> events;
  std::map<int, void *> streams;
};

Kept &kept() {
  static Kept *instance = new Kept; // the device takes them back at the end of the process
  return *instance;
}

void *takeEvent() {
  {
    std::lock_guard lock(kept().mutex);
    if (!kept().events.empty()) {
      void *event = kept().events.back();
      kept().events.pop_back();
      return event;
    }
  }
  void *event = nullptr;
  return api().cudaEventCreateWithFlags(&event, withoutTime) == success ? event : nullptr;
}

// A question is cheaper than a wait of one stream for another, and mostly answered with yes. It is
// no error of the program's that the answer is no.
bool isOver(void *event) {
  Error before = api().cudaPeekAtLastError(), answer = api().cudaEventQuery(event);
  if (answer != success && before == success)
    api().cudaGetLastError();
  return answer == success;
}

// Made anew where it cannot wait any more.
Error waitIn(void *&stream, void *event) {
  if (stream && isOver(event))
    return success;
  Error error = stream ? api().cudaStreamWaitEvent(stream, event, 0) : errorInvalidResourceHandle;
  if (error == success)
    return success;
  error = api().cudaStreamCreateWithFlags(&stream, nonBlocking);
  return error == success ? api().cudaStreamWaitEvent(stream, event, 0) : error;
}

} // namespace

Place::~Place() {
  if (!event)
    return;
  std::lock_guard lock(kept().mutex);
  kept().events.push_back(event);
}

void Place::note(void *stream) {
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (!event)
      event = takeEvent();
    if (!event || api().cudaEventRecord(event, stream) == success)
      return;
    event = nullptr; // of another device, or from before a reset
    api().cudaGetLastError();
  }
}

void *Place::streamBehind(int device) const {
  std::lock_guard lock(kept().mutex);
  void *&stream = kept().streams[device];
  if (waitIn(stream, event) == success)
    return stream;
  api().cudaGetLastError();
  stream = nullptr;
  return nullptr;
}

} // namespace cufrt::mpi
