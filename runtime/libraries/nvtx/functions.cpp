// The functions of NVTX: what a profiler is told, and the same as spans of the report of
// CUF_REPORT=1. Ranges are those of a thread, nested, or have a number and may be ended by any
// thread. Without a profiler and without a report only levels are counted.
#include "core/settings.h"
#include "cufrt/device.h"
#include "libraries/nvtx.h"
#include "libraries/nvtx/tool.h"
#include "report/tallies.h"

#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

struct cufrt_nvtx_event {
  int16_t version = 3, size = 48;
  int32_t category = 0, colorType = 0;
  uint32_t color = 0;
  int32_t payloadType = 0, reserved0 = 0;
  int64_t payload = 0;
  int32_t messageType = 1;
  const void *message = nullptr;
};

namespace cufrt::nvtx {
namespace {

constexpr int messageIsText = 1, messageIsRegistered = 3, colorIsArgb = 1;
constexpr int noRange = -2; // NVTX_NO_PUSH_POP_TRACKING

struct Domain {
  std::string name; // empty for the default one
  void *handle = nullptr;
};

struct Text {
  std::string text;
  void *handle = nullptr;
};

struct Span {
  std::string path; // its name behind those of the ranges around it
  int64_t start;
};

struct Started {
  Span span;
  uint64_t ofTool;
};

std::mutex &mutex() {
  static std::mutex *instance = new std::mutex;
  return *instance;
}

std::map<uint64_t, Started> &started() { // guarded by mutex()
  static auto *instance = new std::map<uint64_t, Started>;
  return *instance;
}

std::vector<Span> &nested(void *domain) {
  thread_local std::map<void *, std::vector<Span>> spans;
  return spans[domain];
}

Domain *domainOf(void *handle) { return static_cast<Domain *>(handle); }
void *handleOf(void *handle) { return handle ? domainOf(handle)->handle : nullptr; }

bool isReported() {
  if (settings().report)
    api(); // which promises the report
  return settings().report;
}

std::string nameOf(void *domain, const cufrt_nvtx_event *event) {
  std::string name = "(no name)";
  if (event->message && event->messageType == messageIsText)
    name = static_cast<const char *>(event->message);
  if (event->message && event->messageType == messageIsRegistered)
    name = static_cast<const Text *>(event->message)->text;
  return domain && !domainOf(domain)->name.empty() ? domainOf(domain)->name + ": " + name : name;
}

// What the profiler gets: with its own handle of a registered string.
cufrt_nvtx_event forTool(const cufrt_nvtx_event *event) {
  cufrt_nvtx_event made = *event;
  if (made.messageType == messageIsRegistered && made.message)
    made.message = static_cast<const Text *>(made.message)->handle;
  return made;
}

cufrt_nvtx_event eventOf(const char *label) {
  cufrt_nvtx_event event;
  event.message = label;
  return event;
}

Span spanOf(const std::string &around, const std::string &name) {
  if (!isReported())
    return {"", 0};
  return {around + name + report::rangeSeparator, report::clockReading()};
}

int push(void *domain, const cufrt_nvtx_event *event) {
  std::vector<Span> &spans = nested(domain);
  int level = static_cast<int>(spans.size());
  spans.push_back(spanOf(spans.empty() ? "" : spans.back().path, nameOf(domain, event)));
  if (const Tool *profiler = tool()) {
    cufrt_nvtx_event given = forTool(event);
    domain ? profiler->pushDomain(handleOf(domain), &given) : profiler->push(&given);
  }
  return level;
}

int pop(void *domain) {
  std::vector<Span> &spans = nested(domain);
  if (spans.empty())
    return noRange;
  if (const Tool *profiler = tool())
    domain ? profiler->popDomain(handleOf(domain)) : profiler->pop();
  if (isReported())
    report::noteRange(spans.back().path, report::clockReading() - spans.back().start);
  spans.pop_back();
  return static_cast<int>(spans.size());
}

long long start(void *domain, const cufrt_nvtx_event *event) {
  static std::atomic<uint64_t> last{0};
  Started range{spanOf("", nameOf(domain, event)), 0};
  if (const Tool *profiler = tool()) {
    cufrt_nvtx_event given = forTool(event);
    range.ofTool =
        domain ? profiler->startDomain(handleOf(domain), &given) : profiler->start(&given);
  }
  std::lock_guard lock(mutex());
  uint64_t id = ++last;
  started()[id] = range;
  return static_cast<long long>(id);
}

void end(void *domain, long long id) {
  std::unique_lock lock(mutex());
  auto found = started().find(static_cast<uint64_t>(id));
  if (found == started().end())
    return;
  Started range = found->second;
  started().erase(found);
  lock.unlock();
  if (const Tool *profiler = tool())
    domain ? profiler->endDomain(handleOf(domain), range.ofTool) : profiler->end(range.ofTool);
  if (isReported())
    report::noteRange(range.span.path, report::clockReading() - range.span.start);
}

void mark(void *domain, const cufrt_nvtx_event *event) {
  if (const Tool *profiler = tool()) {
    cufrt_nvtx_event given = forTool(event);
    domain ? profiler->markDomain(handleOf(domain), &given) : profiler->mark(&given);
  }
  if (isReported())
    report::noteMark(nameOf(domain, event));
}

} // namespace
} // namespace cufrt::nvtx

using namespace cufrt::nvtx;

extern "C" {

void cufrt_lib_nvtxStartRange(const char *label, const int *color) {
  // Green, blue, yellow, magenta, cyan, red, white, as in the modules that codes bring themselves.
  constexpr uint32_t colors[] = {0xff00ff00, 0xff0000ff, 0xffffff00, 0xffff00ff,
                                 0xff00ffff, 0xffff0000, 0xffffffff};
  cufrt_nvtx_event event = eventOf(label);
  if (color) {
    event.colorType = colorIsArgb;
    event.color = colors[static_cast<unsigned>(*color) % std::size(colors)];
  }
  push(nullptr, &event);
}
void cufrt_lib_nvtxEndRange() { pop(nullptr); }

int cufrt_lib_nvtxRangePushA(const char *label) {
  cufrt_nvtx_event event = eventOf(label);
  return push(nullptr, &event);
}
int cufrt_lib_nvtxRangePushEx(const cufrt_nvtx_event *event) { return push(nullptr, event); }
int cufrt_lib_nvtxRangePop() { return pop(nullptr); }

long long cufrt_lib_nvtxRangeStartA(const char *label) {
  cufrt_nvtx_event event = eventOf(label);
  return start(nullptr, &event);
}
long long cufrt_lib_nvtxRangeStartEx(const cufrt_nvtx_event *event) {
  return start(nullptr, event);
}
void cufrt_lib_nvtxRangeEnd(long long id) { end(nullptr, id); }

void cufrt_lib_nvtxMarkA(const char *label) {
  cufrt_nvtx_event event = eventOf(label);
  mark(nullptr, &event);
}
void cufrt_lib_nvtxMarkEx(const cufrt_nvtx_event *event) { mark(nullptr, event); }

void cufrt_lib_nvtxNameCategoryA(int category, const char *label) {
  if (const Tool *profiler = tool())
    profiler->nameCategory(static_cast<uint32_t>(category), label);
}
void cufrt_lib_nvtxNameOsThreadA(int thread, const char *label) {
  if (const Tool *profiler = tool())
    profiler->nameThread(static_cast<uint32_t>(thread), label);
}
void cufrt_lib_nvtxInitialize(void *reserved) {
  if (const Tool *profiler = tool())
    profiler->initialize(reserved);
}

void *cufrt_lib_nvtxDomainCreateA(const char *label) {
  return new Domain{label, tool() ? tool()->createDomain(label) : nullptr};
}
void cufrt_lib_nvtxDomainDestroy(void *domain) { // events that are still open need its name
  if (const Tool *profiler = tool(); profiler && domain)
    profiler->destroyDomain(handleOf(domain));
}
void *cufrt_lib_nvtxDomainRegisterStringA(void *domain, const char *label) {
  return new Text{label, tool() ? tool()->registerString(handleOf(domain), label) : nullptr};
}
void cufrt_lib_nvtxDomainNameCategoryA(void *domain, int category, const char *label) {
  if (const Tool *profiler = tool())
    profiler->nameDomainCategory(handleOf(domain), static_cast<uint32_t>(category), label);
}
void cufrt_lib_nvtxDomainMarkEx(void *domain, const cufrt_nvtx_event *event) {
  mark(domain, event);
}
int cufrt_lib_nvtxDomainRangePushEx(void *domain, const cufrt_nvtx_event *event) {
  return push(domain, event);
}
int cufrt_lib_nvtxDomainRangePop(void *domain) { return pop(domain); }
long long cufrt_lib_nvtxDomainRangeStartEx(void *domain, const cufrt_nvtx_event *event) {
  return start(domain, event);
}
void cufrt_lib_nvtxDomainRangeEnd(void *domain, long long id) { end(domain, id); }

} // extern "C"
