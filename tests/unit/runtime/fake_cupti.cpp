// A libcupti for profiler_test.cpp: it records what fakeWork says, and hands the records over as
// the real one may: those of the device before those of the calls that caused them. Layouts are
// those of report/cupti.h, which runtime/cuda/cupti_layout.cpp compares with the real ones.
#include "report/cupti.h"

#include <cstring>
#include <vector>

using namespace cufrt::report::cupti;

namespace {

struct Event {
  uint32_t kind, correlation;
  bool hasExternal;
  uint64_t external;
};

BufferRequested requestBuffer;
BufferCompleted completeBuffer;
std::vector<uint64_t> externals;
std::vector<Event> events;
uint32_t lastCorrelation = 0;

// Real records are longer than what is declared of them.
template <typename Record>
constexpr size_t room = sizeof(Record) + 64;

size_t roomOf(const void *record) {
  switch (*static_cast<const uint32_t *>(record)) {
  case kindConcurrentKernel:
    return room<KernelRecord>;
  case kindPeerCopy:
    return room<PeerCopyRecord>;
  case kindExternalCorrelation:
    return room<ExternalRecord>;
  default:
    return room<CopyRecord>;
  }
}

template <typename Record>
void put(uint8_t *&at, Record record) {
  std::memset(at, 0x5a, room<Record>);
  std::memcpy(at, &record, sizeof record);
  at += room<Record>;
}

void putWork(uint8_t *&at, const Event &event) {
  if (event.kind == kindConcurrentKernel) {
    KernelRecord kernel{};
    kernel.kind = event.kind, kernel.correlation = event.correlation;
    kernel.start = 1000, kernel.end = 3000, kernel.name = "_ZN8internal4gemmIfLi4EEEvPKT_i";
    put(at, kernel);
  } else if (event.kind == kindPeerCopy) {
    PeerCopyRecord copy{};
    copy.kind = event.kind, copy.correlation = event.correlation;
    copy.bytes = 128, copy.start = 10, copy.end = 20;
    put(at, copy);
  } else {
    CopyRecord copy{};
    copy.kind = event.kind, copy.correlation = event.correlation;
    copy.copyKind = copyHostToDevice, copy.bytes = 4000, copy.start = 10, copy.end = 410;
    put(at, copy);
  }
}

template <typename Put>
void handOver(const Put &putAll) {
  uint8_t *buffer = nullptr;
  size_t bytes = 0, most = 0;
  requestBuffer(&buffer, &bytes, &most);
  uint8_t *end = buffer;
  putAll(end);
  completeBuffer(nullptr, 0, buffer, bytes, static_cast<size_t>(end - buffer));
}

} // namespace

extern "C" {

void fakeWork(uint32_t kind) {
  events.push_back(
      {kind, ++lastCorrelation, !externals.empty(), externals.empty() ? 0 : externals.back()});
}

Result cuptiGetVersion(uint32_t *version) { return *version = 130001, 0; }
Result cuptiGetResultString(Result, const char **text) { return *text = "CUPTI_ERROR_FAKE", 0; }
Result cuptiActivityRegisterCallbacks(BufferRequested requested, BufferCompleted completed) {
  requestBuffer = requested, completeBuffer = completed;
  return 0;
}
Result cuptiActivityEnable(uint32_t) { return 0; }
Result cuptiActivityDisable(uint32_t) { return 0; }
Result cuptiActivityGetNumDroppedRecords(void *, uint32_t, size_t *dropped) {
  return *dropped = 0, 0;
}
Result cuptiActivityPushExternalCorrelationId(uint32_t, uint64_t number) {
  return externals.push_back(number), 0;
}
Result cuptiActivityPopExternalCorrelationId(uint32_t, uint64_t *number) {
  *number = externals.back();
  return externals.pop_back(), 0;
}

Result cuptiActivityGetNextRecord(uint8_t *buffer, size_t validBytes, void **record) {
  uint8_t *next = *record ? static_cast<uint8_t *>(*record) + roomOf(*record) : buffer;
  if (next >= buffer + validBytes)
    return 12; // CUPTI_ERROR_MAX_LIMIT_REACHED
  *record = next;
  return 0;
}

Result cuptiActivityFlushAll(uint32_t) {
  handOver([](uint8_t *&end) {
    for (const Event &event : events)
      putWork(end, event);
  });
  handOver([](uint8_t *&end) {
    for (const Event &event : events)
      if (event.hasExternal)
        put(end, ExternalRecord{kindExternalCorrelation, externalCustom, event.external,
                                event.correlation});
  });
  events.clear();
  return 0;
}
}
