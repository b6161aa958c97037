// See events.h. A bracket takes a pair of events from its device's unused ones; the pairs whose
// times are not read yet wait in a list. Reading waits for the work, so it is put off to the end
// of the program, or until so many pairs wait that the first of them have most likely happened.
#include "report/events.h"
#include "report/tallies.h"

#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace cufrt::report {
namespace {

constexpr size_t mostWaiting = 1024;  // pairs of events
constexpr int captureModeRelaxed = 2; // cudaStreamCaptureModeRelaxed

using EventPair = std::pair<void *, void *>;

struct Timed {
  Work work;
  int device;
  EventPair events;
};

struct Events {
  std::mutex mutex;                             // nothing of the device is called under it
  std::map<int, std::vector<EventPair>> unused; // by device: an event is of the device that made it
  std::vector<Timed> waiting;
};

Events *&place() {
  static Events *instance = new Events;
  return instance;
}

Events &events() { return *place(); }

// While some thread captures a graph, others may make and await events only in this mode.
class RelaxedCapture {
public:
  explicit RelaxedCapture(const Device &device) : device(device) {
    isSet = device.cudaThreadExchangeStreamCaptureMode(&mode) == success;
  }
  ~RelaxedCapture() {
    if (isSet)
      device.cudaThreadExchangeStreamCaptureMode(&mode);
  }
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  const Device &device;
  int mode = captureModeRelaxed;
  bool isSet;
};

// An error that waits for the program must not be mixed with those of events, and in a stream that
// captures an event would become a part of the graph.
bool canTime(const Device &device, void *stream) {
  if (device.cudaPeekAtLastError() != success)
    return false;
  int status = 0;
  if (device.cudaStreamIsCapturing(stream, &status) == success)
    return status == 0;
  device.cudaGetLastError();
  return false;
}

bool takeEvents(const Device &device, int number, void *&start, void *&end) {
  {
    std::lock_guard lock(events().mutex);
    std::vector<EventPair> &unused = events().unused[number];
    if (!unused.empty()) {
      std::tie(start, end) = unused.back();
      unused.pop_back();
      return true;
    }
  }
  RelaxedCapture relaxed(device);
  if (device.cudaEventCreate(&start) == success && device.cudaEventCreate(&end) == success)
    return true;
  device.cudaGetLastError();
  return false;
}

void giveBack(int number, const EventPair &pair) {
  std::lock_guard lock(events().mutex);
  events().unused[number].push_back(pair);
}

void read(const Device &device, const std::vector<Timed> &all) {
  RelaxedCapture relaxed(device);
  for (const Timed &timed : all) {
    float milliseconds = 0;
    if (device.cudaEventSynchronize(timed.events.second) == success &&
        device.cudaEventElapsedTime(&milliseconds, timed.events.first, timed.events.second) ==
            success)
      noteTime(timed.work, static_cast<int64_t>(static_cast<double>(milliseconds) * 1e6));
    giveBack(timed.device, timed.events);
  }
}

// The first half of those that wait, if they are too many.
std::vector<Timed> takeOldest() {
  std::lock_guard lock(events().mutex);
  std::vector<Timed> &waiting = events().waiting, oldest;
  if (waiting.size() < mostWaiting)
    return oldest;
  auto middle = waiting.begin() + mostWaiting / 2;
  oldest.assign(waiting.begin(), middle);
  waiting.erase(waiting.begin(), middle);
  return oldest;
}

} // namespace

Bracket::Bracket(const Device &device, void *stream) : device(device), stream(stream) {
  if (!canTime(device, stream) || device.cudaGetDevice(&number) != success ||
      !takeEvents(device, number, start, end)) {
    start = end = nullptr;
    return;
  }
  if (device.cudaEventRecord(start, stream) == success)
    return;
  device.cudaGetLastError();
  giveBack(number, {start, end});
  start = end = nullptr;
}

Bracket::~Bracket() {
  if (start)
    giveBack(number, {start, end});
}

void Bracket::close(const Work &work, Error error) {
  if (error != success)
    return;
  noteSubmitted(work);
  if (!start)
    return;
  if (device.cudaEventRecord(end, stream) != success) {
    device.cudaGetLastError();
    return;
  }
  {
    std::lock_guard lock(events().mutex);
    events().waiting.push_back({work, number, {start, end}});
  }
  start = end = nullptr;
  if (std::vector<Timed> oldest = takeOldest(); !oldest.empty())
    read(device, oldest);
}

void collectEvents(const Device &device) {
  std::vector<Timed> all;
  {
    std::lock_guard lock(events().mutex);
    all.swap(events().waiting);
  }
  if (!all.empty())
    read(device, all);
  std::lock_guard lock(events().mutex);
  for (auto &[number, pairs] : events().unused)
    pairs.clear();
}

void forgetEvents() { place() = new Events; }

} // namespace cufrt::report
