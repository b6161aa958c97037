// See profiler.h. CUPTI fills buffers and hands them back from threads of its own. A record of the
// device carries the number of the call that caused it; that call has an external record if a Mark
// lived, whose number says for whom it was. Buffers come in any order, so records whose call is not
// known yet wait.
#include "report/profiler.h"
#include "core/settings.h"
#include "report/cupti_library.h"
#include "report/tallies.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace cufrt::report::profiler {
namespace {

using namespace cupti;

constexpr size_t bufferBytes = size_t{1} << 20;
constexpr size_t mostWaiting = size_t{1} << 18, mostCalls = size_t{1} << 20;
constexpr uint64_t libraryBit = uint64_t{1} << 32; // of external numbers; else an Origin

struct Waiting {
  uint32_t correlation;
  int symbol; // of a kernel, or negative
  Work transfer;
  int64_t nanoseconds;
};

struct Symbol {
  std::string name;
  bool isOwn;
};

struct Records {
  std::mutex mutex; // nothing that waits for the device is called under it
  std::unordered_map<uint32_t, uint64_t> externals; // of calls
  std::vector<Waiting> waiting;
  std::unordered_map<std::string, int> symbolNumbers;
  std::vector<Symbol> symbols;
  size_t lost = 0;
};

Functions functions;
std::atomic<bool> active{false};

Records &records() {
  static Records *instance = new Records;
  return *instance;
}

int64_t duration(uint64_t start, uint64_t end) {
  return start == 0 || end < start ? -1 : static_cast<int64_t>(end - start);
}

// The following need the mutex.

int numberOf(const char *name) {
  std::string text = name ? name : "(unknown)";
  auto [found, isNew] =
      records().symbolNumbers.emplace(text, static_cast<int>(records().symbols.size()));
  if (isNew)
    records().symbols.push_back({text, !displayOfSymbol(text).empty()});
  return found->second;
}

void add(const Waiting &record, const uint64_t *external) {
  int libraryCall = external && (*external & libraryBit) ? static_cast<int>(*external) : -1;
  if (record.symbol >= 0)
    return noteDeviceKernel(records().symbols[static_cast<size_t>(record.symbol)].name, libraryCall,
                            record.nanoseconds);
  Work work = record.transfer;
  work.origin = !external          ? Origin::other
                : libraryCall >= 0 ? Origin::library
                                   : static_cast<Origin>(*external);
  noteDeviceTransfer(work, libraryCall, record.nanoseconds);
}

bool addIfKnown(const Waiting &record) {
  auto found = records().externals.find(record.correlation);
  if (found == records().externals.end())
    return false;
  add(record, &found->second);
  return true;
}

void resolve(bool all) {
  std::vector<Waiting> &waiting = records().waiting;
  std::erase_if(waiting, addIfKnown);
  if (!all)
    return;
  for (const Waiting &record : waiting)
    add(record, nullptr);
  waiting.clear();
}

void wait(const Waiting &record) {
  if (!addIfKnown(record))
    records().waiting.push_back(record);
}

Direction directionOf(uint8_t kind) {
  switch (kind) {
  case copyHostToDevice:
  case copyHostToArray:
    return Direction::hostToDevice;
  case copyDeviceToHost:
  case copyArrayToHost:
    return Direction::deviceToHost;
  case copyHostToHost:
    return Direction::hostToHost;
  default:
    return Direction::deviceToDevice;
  }
}

void takeKernel(const KernelRecord &record) {
  Waiting waiting{
      record.correlation, numberOf(record.name), {}, duration(record.start, record.end)};
  noteDevice(static_cast<int>(record.device));
  if (records().symbols[static_cast<size_t>(waiting.symbol)].isOwn)
    add(waiting, nullptr);
  else
    wait(waiting);
}

Work transferOf(Direction direction, uint64_t bytes) {
  return {Work::Kind::transfer, nullptr, nullptr, direction, Origin::other, bytes};
}

template <typename Record>
void takeTransfer(const Record &record, Direction direction) {
  wait({record.correlation, -1, transferOf(direction, record.bytes),
        duration(record.start, record.end)});
}

void take(const void *record) {
  switch (*static_cast<const uint32_t *>(record)) {
  case kindKernel:
  case kindConcurrentKernel:
    return takeKernel(*static_cast<const KernelRecord *>(record));
  case kindCopy: {
    auto &copy = *static_cast<const CopyRecord *>(record);
    return takeTransfer(copy, directionOf(copy.copyKind));
  }
  case kindPeerCopy:
    return takeTransfer(*static_cast<const PeerCopyRecord *>(record), Direction::deviceToDevice);
  case kindFill:
    return takeTransfer(*static_cast<const FillRecord *>(record), Direction::fill);
  case kindExternalCorrelation: {
    auto &external = *static_cast<const ExternalRecord *>(record);
    if (external.externalKind == externalCustom)
      records().externals[external.correlation] = external.external;
    return;
  }
  default:
    return;
  }
}

void giveBuffer(uint8_t **buffer, size_t *bytes, size_t *mostRecords) {
  *buffer = static_cast<uint8_t *>(std::aligned_alloc(bufferAlignment, bufferBytes));
  *bytes = *buffer ? bufferBytes : 0;
  *mostRecords = 0;
}

void takeBuffer(void *context, uint32_t stream, uint8_t *buffer, size_t, size_t validBytes) {
  if (!buffer)
    return;
  size_t dropped = 0;
  if (functions.ActivityGetNumDroppedRecords(context, stream, &dropped) != 0)
    dropped = 0;
  {
    std::lock_guard lock(records().mutex);
    void *record = nullptr;
    while (validBytes && functions.ActivityGetNextRecord(buffer, validBytes, &record) == 0)
      take(record);
    records().lost += dropped;
    if (records().waiting.size() > mostWaiting)
      resolve(true);
    if (records().externals.size() > mostCalls)
      records().externals.clear();
  }
  std::free(buffer);
}

std::string textOf(Result result) {
  const char *text = nullptr;
  return functions.GetResultString(result, &text) == 0 && text ? text
                                                               : "error " + std::to_string(result);
}

bool enable(std::string &why) {
  uint32_t version = 0;
  if (functions.GetVersion(&version) != 0 || version < oldestVersion) {
    why = "libcupti is older than that of CUDA 11";
    return false;
  }
  Result result = functions.ActivityRegisterCallbacks(giveBuffer, takeBuffer);
  for (uint32_t kind : {kindConcurrentKernel, kindCopy, kindPeerCopy, kindFill,
                        kindExternalCorrelation, kindRuntimeCall, kindDriverCall})
    if (result == 0)
      result = functions.ActivityEnable(kind);
  if (result != 0)
    why = textOf(result);
  return result == 0;
}

void disable() {
  for (uint32_t kind : {kindDriverCall, kindRuntimeCall, kindExternalCorrelation, kindFill,
                        kindPeerCopy, kindCopy, kindConcurrentKernel})
    functions.ActivityDisable(kind);
}

} // namespace

bool start(const Device &device, std::string &why) {
  if (!settings().reportUsesCupti) {
    why = "CUF_REPORT_CUPTI=off";
    return false;
  }
  if (settings().hasProfiler) {
    why = "another profiler is attached";
    return false;
  }
  int version = 0;
  device.cudaRuntimeGetVersion(&version);
  if (!cupti::open(version / 1000, functions, why))
    return false;
  if (!enable(why)) {
    disable();
    return false;
  }
  active.store(true, std::memory_order_release);
  return true;
}

bool isActive() { return active.load(std::memory_order_acquire); }

Mark::Mark(const Work &work) {
  if (!isActive() || work.kind == Work::Kind::kernel)
    return;
  uint64_t external = work.kind == Work::Kind::library
                          ? libraryBit | static_cast<uint64_t>(numberOfLibraryCall(work))
                          : static_cast<uint64_t>(work.origin);
  isPushed = functions.ActivityPushExternalCorrelationId(externalCustom, external) == 0;
}

Mark::~Mark() {
  uint64_t last = 0;
  if (isPushed && isActive())
    functions.ActivityPopExternalCorrelationId(externalCustom, &last);
}

void collect(const Device &device) {
  if (!isActive())
    return;
  int current = 0;
  bool isKnown = device.cudaGetDevice(&current) == success;
  for (int number : devicesOfReport()) {
    if (device.cudaSetDevice(number) == success)
      device.cudaDeviceSynchronize();
  }
  if (isKnown)
    device.cudaSetDevice(current);
  functions.ActivityFlushAll(flushForced);
  std::lock_guard lock(records().mutex);
  resolve(true);
}

void stop() {
  if (active.exchange(false))
    disable();
}

size_t lostRecords() {
  std::lock_guard lock(records().mutex);
  return records().lost;
}

void forget() { active.store(false); }

} // namespace cufrt::report::profiler
