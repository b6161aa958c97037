// See report.h.
#include "report/report.h"
#include "core/settings.h"
#include "cufrt/device_properties.h"
#include "report/data.h"
#include "report/events.h"
#include "report/measured_device.h"
#include "report/profiler.h"
#include "report/tallies.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

extern "C" char *program_invocation_short_name;

namespace cufrt::report {
namespace {

const Device *plain = nullptr;
std::string whyNoProfiler;
int64_t startReading = 0;
bool isChild = false; // of a process that forked
std::atomic<bool> isFinished{false};

std::string nameOfDevice(int number) {
  static DeviceProperties properties;
  if (plain->getProperties(properties, number) != success)
    return "device " + std::to_string(number);
  std::string name(properties.name, sizeof properties.name);
  name.resize(std::min(name.size(), std::strlen(name.c_str())));
  return name.substr(0, name.find_last_not_of(' ') + 1);
}

void addNotes(Data &data) {
  bool hasWork = !data.kernels.empty() || !data.transfers.empty() || !data.libraryCalls.empty();
  if (data.clock == Clock::events && hasWork)
    data.notes.push_back("without CUPTI (" + whyNoProfiler +
                         ") times are those between events, and what libraries and graphs run on "
                         "the device is not seen");
  if (size_t lost = profiler::lostRecords())
    data.notes.push_back("CUPTI lost " + std::to_string(lost) + " records");
  int64_t untimed = 0;
  for (const KernelRow &row : data.kernels)
    untimed += row.tally.count - row.tally.timed;
  if (untimed > 0)
    data.notes.push_back("not timed: " + std::to_string(untimed) +
                         " calls, captured for a graph or made after an error");
}

Data takeData() {
  Data data;
  takeRows(data);
  data.program = program_invocation_short_name;
  data.process = getpid();
  data.rank = settings().world.own;
  data.ranks = settings().world.count;
  data.isHost = plain->isHost;
  data.hostThreads = settings().hostThreads;
  data.clock = plain->isHost ? Clock::host : profiler::isActive() ? Clock::profiler : Clock::events;
  int current = 0;
  if (!data.isHost && data.deviceNumbers.empty() && plain->cudaGetDevice(&current) == success)
    data.deviceNumbers.push_back(current);
  for (int number : data.deviceNumbers)
    data.deviceNames.push_back(nameOfDevice(number));
  data.nanoseconds = clockReading() - startReading;
  addNotes(data);
  return data;
}

// "run.json" becomes "run.rank1.json" in rank 1 of several, "run.process77.json" in a child.
std::string fileOf(std::string file, const Data &data) {
  std::string mark;
  if (data.ranks > 1)
    mark += ".rank" + std::to_string(data.rank);
  if (isChild)
    mark += ".process" + std::to_string(data.process);
  size_t name = file.rfind('/') + 1, point = file.rfind('.');
  bool hasSuffix = point != std::string::npos && point > name;
  return file.insert(hasSuffix ? point : file.size(), mark);
}

// In one call, so that lines of several processes stay whole.
bool write(const std::string &text, std::FILE *file) {
  return std::fwrite(text.data(), 1, text.size(), file) == text.size();
}

void deliver(const std::string &text, const char *path, const Data &data) {
  std::fflush(stdout);
  if (!path) {
    write(text, stderr);
    return;
  }
  std::string name = fileOf(path, data);
  std::FILE *file = std::fopen(name.c_str(), "w");
  bool isWritten = file && write(text, file);
  if (file && std::fclose(file) != 0)
    isWritten = false;
  if (!isWritten)
    std::fprintf(stderr, "cufrt: the report cannot be written to %s: %s\n", name.c_str(),
                 std::strerror(errno));
}

// The child has none of the threads, and on a GPU nothing of the device.
void beginAnewInChild() {
  forgetRows();
  forgetEvents();
  profiler::forget();
  isChild = true;
  startReading = clockReading();
  isFinished.store(false);
}

} // namespace

const Device &start(const Device &device) {
  plain = &device;
  startReading = clockReading();
  if (!device.isHost)
    profiler::start(device, whyNoProfiler);
  std::atexit(finish);
  pthread_atfork(nullptr, nullptr, beginAnewInChild);
  return measuredDevice(device);
}

void promiseAgain() {
  static const int promised = std::atexit(finish);
  (void)promised;
}

void collect() {
  if (!plain || plain->isHost || isChild)
    return;
  profiler::collect(*plain);
  collectEvents(*plain);
}

void finish() {
  if (!plain || isFinished.exchange(true) || (isChild && !hasRows()))
    return;
  collect();
  Data data = takeData();
  profiler::stop();
  if (settings().reportIsSaid)
    deliver(settings().reportIsJson ? jsonOf(data) : textOf(data), settings().reportFile, data);
  if (settings().reportData)
    deliver(jsonOf(data), settings().reportData, data);
}

// MPICH's launcher drops what it has not read from a process when another, or the same, asks it to
// end them all. FIONREAD counts the bytes in a pipe at either end.
void finishBeforeAbort() {
  finish();
  struct stat status;
  if (fstat(STDERR_FILENO, &status) != 0 || !S_ISFIFO(status.st_mode))
    return;
  constexpr int longest = 2000; // milliseconds; a launcher that hangs does not keep the program
  int unread = 0;
  for (int i = 0; i < longest; ++i) {
    if (ioctl(STDERR_FILENO, FIONREAD, &unread) != 0 || unread == 0)
      return;
    usleep(1000);
  }
}

} // namespace cufrt::report
