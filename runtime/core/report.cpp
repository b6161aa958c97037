// See report.h. A launch takes a pair of events from its device's unused ones; the pairs whose
// times are not read yet wait in a list. Reading waits for the kernel, so it is put off to the end
// of the program, or until so many pairs wait that the first of them have most likely happened.
#include "core/report.h"
#include "core/module_registry.h"
#include "core/report_calls.h"
#include "core/settings.h"
#include "cufrt/device_properties.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace cufrt {
namespace {

constexpr size_t mostWaiting = 1024;  // pairs of events
constexpr int captureModeRelaxed = 2; // cudaStreamCaptureModeRelaxed
constexpr int widestName = 60;

struct EventPair {
  void *start = nullptr, *end = nullptr;
};

struct TimedLaunch {
  const void *stub;
  int device;
  EventPair events;
};

struct Row {
  long calls = 0, timed = 0;
  double milliseconds = 0; // of those that are timed
};

struct Report {
  std::mutex mutex; // guards what follows; launches call nothing of the device under it
  std::unordered_map<const void *, Row> rows;
  std::map<int, std::vector<EventPair>> unused; // by device: an event is of the device that made it
  std::vector<TimedLaunch> waiting;
  std::once_flag firstLaunch;
};

// Lives until the process ends, since destructors of the program may still launch.
Report &report() {
  static Report *instance = new Report;
  return *instance;
}

// While some thread captures a graph, others may make and await events only in this mode.
class RelaxedCapture {
public:
  RelaxedCapture() { isSet = api().cudaThreadExchangeStreamCaptureMode(&mode) == success; }
  ~RelaxedCapture() {
    if (isSet)
      api().cudaThreadExchangeStreamCaptureMode(&mode);
  }
  RelaxedCapture(const RelaxedCapture &) = delete;
  RelaxedCapture &operator=(const RelaxedCapture &) = delete;

private:
  int mode = captureModeRelaxed;
  bool isSet;
};

// An error that waits for the program must not be mixed with those of events, and in a stream that
// captures an event would become a part of the graph.
bool canTime(void *stream) {
  if (api().cudaPeekAtLastError() != success)
    return false;
  int status = 0;
  if (api().cudaStreamIsCapturing(stream, &status) == success)
    return status == 0;
  api().cudaGetLastError();
  return false;
}

bool takeEvents(int device, EventPair &events) {
  {
    std::lock_guard lock(report().mutex);
    std::vector<EventPair> &unused = report().unused[device];
    if (!unused.empty()) {
      events = unused.back();
      unused.pop_back();
      return true;
    }
  }
  RelaxedCapture relaxed;
  return api().cudaEventCreate(&events.start) == success &&
         api().cudaEventCreate(&events.end) == success;
}

void giveBack(int device, const EventPair &events) {
  std::lock_guard lock(report().mutex);
  report().unused[device].push_back(events);
}

// Waits for launches and adds their times to the table.
void read(const std::vector<TimedLaunch> &launches) {
  RelaxedCapture relaxed;
  for (const TimedLaunch &launch : launches) {
    float milliseconds = 0;
    bool isKnown = api().cudaEventSynchronize(launch.events.end) == success &&
                   api().cudaEventElapsedTime(&milliseconds, launch.events.start,
                                              launch.events.end) == success;
    giveBack(launch.device, launch.events);
    std::lock_guard lock(report().mutex);
    Row &row = report().rows[launch.stub];
    row.timed += isKnown;
    row.milliseconds += isKnown ? static_cast<double>(milliseconds) : 0;
  }
}

// The first half of those that wait, if they are too many.
std::vector<TimedLaunch> takeOldest() {
  std::lock_guard lock(report().mutex);
  std::vector<TimedLaunch> &waiting = report().waiting;
  std::vector<TimedLaunch> oldest;
  if (waiting.size() < mostWaiting)
    return oldest;
  auto middle = waiting.begin() + mostWaiting / 2;
  oldest.assign(waiting.begin(), middle);
  waiting.erase(waiting.begin(), middle);
  return oldest;
}

// A launch that went well, with its events if it is timed.
void note(const void *stub, int device, const EventPair *events) {
  // Handlers run in reverse order, so this one comes before those of what the first launch started.
  std::call_once(report().firstLaunch, startReport);
  std::lock_guard lock(report().mutex);
  ++report().rows[stub].calls;
  if (events)
    report().waiting.push_back({stub, device, *events});
}

std::string nameOfDevice(int device) {
  static DeviceProperties properties;
  if (api().getProperties(properties, device) != success)
    return "device " + std::to_string(device);
  std::string name(properties.name, sizeof properties.name);
  name.resize(std::min(name.size(), std::strlen(name.c_str())));
  return name.substr(0, name.find_last_not_of(' ') + 1);
}

// The devices that kernels were launched on, or that of this thread.
std::string nameOfDevices() {
  if (api().isHost) {
    int threads = settings().hostThreads;
    return "the CPU, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
  }
  std::vector<int> devices;
  for (const auto &[device, events] : report().unused)
    devices.push_back(device);
  int current = 0;
  if (devices.empty() && api().cudaGetDevice(&current) == success)
    devices.push_back(current);
  std::string names;
  for (int device : devices)
    names += (names.empty() ? "" : ", ") + nameOfDevice(device) +
             (devices.size() > 1 ? " (device " + std::to_string(device) + ")" : "");
  return names.empty() ? "a GPU" : names;
}

struct NamedRow {
  std::string name;
  Row row;
};

// The kernels that took longest come first.
std::vector<NamedRow> sortedRows() {
  std::vector<NamedRow> rows;
  for (const auto &[stub, row] : report().rows) {
    const cufrt_kernel *kernel = findKernel(stub);
    rows.push_back({kernel ? kernel->display : "(unknown)", row});
  }
  std::sort(rows.begin(), rows.end(), [](const NamedRow &one, const NamedRow &other) {
    return one.row.milliseconds != other.row.milliseconds
               ? one.row.milliseconds > other.row.milliseconds
               : one.name < other.name;
  });
  return rows;
}

std::string lineOf(const NamedRow &named, int width) {
  const Row &row = named.row;
  char text[200];
  if (row.timed > 0)
    std::snprintf(text, sizeof text, "  %-*.*s %9ld %12.3f %12.3f\n", width, widestName,
                  named.name.c_str(), row.calls, row.milliseconds,
                  row.milliseconds / static_cast<double>(row.timed));
  else
    std::snprintf(text, sizeof text, "  %-*.*s %9ld %12s %12s\n", width, widestName,
                  named.name.c_str(), row.calls, "-", "-");
  return text;
}

std::string tableOf(const std::vector<NamedRow> &rows) {
  int width = 6;
  long untimed = 0;
  for (const NamedRow &each : rows) {
    width = std::max(width, std::min(static_cast<int>(each.name.size()), widestName));
    untimed += each.row.calls - each.row.timed;
  }
  char text[200];
  std::snprintf(text, sizeof text, "  %-*s %9s %12s %12s\n", width, "kernel", "calls", "total ms",
                "mean ms");
  std::string table = text;
  for (const NamedRow &each : rows)
    table += lineOf(each, width);
  if (untimed > 0)
    table += "  not timed: " + std::to_string(untimed) +
             " calls, captured for a graph or made after an error\n";
  return table;
}

// Promised twice; the first call prints.
void printReport() {
  static std::atomic<bool> isPrinted{false};
  if (isPrinted.exchange(true))
    return;
  collectReport();
  std::lock_guard lock(report().mutex);
  std::string text = "cufrt: ran on " + nameOfDevices() + "\n";
  if (!report().rows.empty())
    text += tableOf(sortedRows());
  text += tablesOfCalls();
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(),
              stderr); // one call, so that lines of processes stay whole
}

} // namespace

void startReport() { std::atexit(printReport); }

Error launchWithReport(const Launch &launch) {
  EventPair events;
  int device = 0;
  if (!canTime(launch.stream) || api().cudaGetDevice(&device) != success ||
      !takeEvents(device, events)) {
    Error error = api().launch(launch);
    if (error == success)
      note(launch.stub, device, nullptr);
    return error;
  }
  bool isTimed = api().cudaEventRecord(events.start, launch.stream) == success;
  Error error = api().launch(launch);
  isTimed =
      isTimed && error == success && api().cudaEventRecord(events.end, launch.stream) == success;
  if (!isTimed)
    giveBack(device, events);
  if (error != success)
    return error;
  if (!isTimed)
    api().cudaGetLastError(); // that of the events
  note(launch.stub, device, isTimed ? &events : nullptr);
  if (std::vector<TimedLaunch> oldest = takeOldest(); !oldest.empty())
    read(oldest);
  return success;
}

void collectReport() {
  std::vector<TimedLaunch> all;
  {
    std::lock_guard lock(report().mutex);
    all.swap(report().waiting);
  }
  if (!all.empty())
    read(all);
  std::lock_guard lock(report().mutex);
  for (auto &[device, events] : report().unused)
    events.clear();
}

} // namespace cufrt
