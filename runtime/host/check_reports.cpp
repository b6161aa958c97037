// See check_reports.h.
#include "host/check_reports.h"
#include "host/message.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <optional>

namespace cufrt::host {
namespace {

constexpr size_t maxReports = 20;

struct Report {
  cufrt_place place;
  cufrt_place other;
  int number;
};

std::mutex mutex; // from beginReport to endReport
std::vector<Report> reports;
std::optional<Message> message; // from beginReport to endReport
std::atomic<bool> mistakes{false};

bool samePlace(const cufrt_place &a, const cufrt_place &b) {
  return a.line == b.line && a.column == b.column && !std::strcmp(a.file, b.file) &&
         !std::strcmp(a.name, b.name);
}

bool isKnown(const Report &report) {
  for (const Report &known : reports)
    if (known.number == report.number &&
        ((samePlace(known.place, report.place) && samePlace(known.other, report.other)) ||
         (samePlace(known.place, report.other) && samePlace(known.other, report.place))))
      return true;
  return false;
}

} // namespace

bool beginReport(const cufrt_place &place, const cufrt_place *other, int number) {
  mistakes.store(true, std::memory_order_relaxed);
  Report report{place, other ? *other : cufrt_place{"", "", 0, 0}, number};
  mutex.lock();
  if (reports.size() <= maxReports && !isKnown(report)) {
    reports.push_back(report);
    if (reports.size() <= maxReports) {
      message.emplace();
      return true;
    }
    std::fprintf(stderr, "cufrt: there are more mistakes than these %zu\n", maxReports);
  }
  mutex.unlock();
  return false;
}

void endReport() {
  message.reset();
  mutex.unlock();
}

std::FILE *reportStream() { return message ? message->stream() : stderr; }

void printPlace(const cufrt_place &place) {
  if (!place.line)
    return std::fputs("cufrt", reportStream()), void();
  std::fprintf(reportStream(), "%s:%d", place.file, place.line);
  if (place.column)
    std::fprintf(reportStream(), ":%d", place.column);
}

void printThread(ThreadIndex index) {
  std::fprintf(reportStream(), "thread (%d,%d,%d)", index.x + 1, index.y + 1, index.z + 1);
}

// Indices are given as Fortran counts them.
void printKernel(const CheckedThread &thread) {
  if (thread.kernel) {
    const int32_t (&block)[3] = thread.block->block_index;
    std::fprintf(reportStream(), " (kernel %s, block (%d,%d,%d), ", thread.kernel->display,
                 block[0] + 1, block[1] + 1, block[2] + 1);
    printThread(thread.index);
    std::fputc(')', reportStream());
  }
  std::fputc('\n', reportStream());
}

bool takeMistakes() { return mistakes.exchange(false, std::memory_order_relaxed); }

} // namespace cufrt::host
