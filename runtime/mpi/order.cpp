// See order.h. Events are used again; a stream is kept for each device. Both end with
// cudaDeviceReset, after which new ones are made.
#include "mpi/order.h"
#include "core/launch_count.h"
#include "cufrt/device.h"

#include <atomic>
#include <map>
#include <mutex>
#include <vector>

namespace cufrt::mpi {
namespace {

constexpr unsigned withoutTime = 2; // cudaEventDisableTiming
constexpr unsigned nonBlocking = 1; // cudaStreamNonBlocking

struct KeptStream {
  void *stream = nullptr;
  bool isSure = false; // it was there after the last event that was gone
};

struct Kept {
  std::mutex mutex;
  std::vector<void *> events;
  std::map<int, KeptStream> streams;
};

Kept &kept() {
  static Kept *instance = new Kept; // the device takes them back at the end of the process
  return *instance;
}

// Whether the program has launched kernels between a nonblocking call and its completion.
std::atomic<bool> launchesMeanwhile{false};

uint64_t launchesSoFar() { return launchCount.load(std::memory_order_relaxed); }

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

// A question is cheaper than a mark in a stream and a wait of another for it, and mostly answered
// with yes. It is no error of the program's that the answer is no.
template <typename Query>
bool isOver(Query query, void *work) {
  Error before = api().cudaPeekAtLastError(), answer = query(work);
  if (answer != success && before == success)
    api().cudaGetLastError();
  return answer == success;
}

// Made anew where it cannot wait any more. Without an event there is nothing to wait for.
Error waitIn(KeptStream &kept, void *event) {
  if (kept.isSure && (!event || isOver(api().cudaEventQuery, event)))
    return success;
  Error error = kept.stream && event ? api().cudaStreamWaitEvent(kept.stream, event, 0)
                                     : errorInvalidResourceHandle;
  if (error != success) {
    error = api().cudaStreamCreateWithFlags(&kept.stream, nonBlocking);
    if (error == success && event)
      error = api().cudaStreamWaitEvent(kept.stream, event, 0);
  }
  kept.isSure = error == success;
  return error;
}

} // namespace

Place::~Place() {
  if (!event)
    return;
  std::lock_guard lock(kept().mutex);
  kept().events.push_back(event);
}

void Place::note(void *stream) {
  isNoted = true;
  launches = launchesSoFar();
  if (!launchesMeanwhile.load(std::memory_order_relaxed))
    return;
  isReached = isOver(api().cudaStreamQuery, stream);
  if (isReached)
    return;
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (!event)
      event = takeEvent();
    if (!event || api().cudaEventRecord(event, stream) == success)
      return;
    // Of another device, or from before a reset, which streams do not outlive either.
    event = nullptr;
    api().cudaGetLastError();
    std::lock_guard lock(kept().mutex);
    for (auto &[device, known] : kept().streams)
      known.isSure = false;
  }
}

void *Place::streamBehind(int device) const {
  if (launchesSoFar() == launches)
    return nullptr;
  launchesMeanwhile.store(true, std::memory_order_relaxed);
  if (!isReached && !event)
    return nullptr;
  std::lock_guard lock(kept().mutex);
  KeptStream &wanted = kept().streams[device];
  if (waitIn(wanted, isReached ? nullptr : event) == success)
    return wanted.stream;
  api().cudaGetLastError();
  wanted = {};
  return nullptr;
}

void forgetOrder() {
  std::lock_guard lock(kept().mutex);
  kept().events.clear();
  kept().streams.clear();
}

} // namespace cufrt::mpi
