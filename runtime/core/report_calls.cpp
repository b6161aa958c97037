// See report_calls.h.
#include "core/report_calls.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <vector>

namespace cufrt {
namespace {

constexpr int widestName = 60;

struct Row {
  long calls = 0;
  int64_t nanoseconds = 0;
};

struct Calls {
  std::mutex mutex;
  std::map<std::string, std::map<std::string, Row>> kinds;
};

Calls &calls() {
  static Calls *instance = new Calls;
  return *instance;
}

std::string tableOf(const std::string &kind, const std::map<std::string, Row> &rows) {
  std::vector<std::pair<std::string, Row>> sorted(rows.begin(), rows.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto &one, const auto &other) {
    return one.second.nanoseconds != other.second.nanoseconds
               ? one.second.nanoseconds > other.second.nanoseconds
               : one.first < other.first;
  });
  int width = static_cast<int>(kind.size());
  for (const auto &[name, row] : sorted)
    width = std::max(width, std::min(static_cast<int>(name.size()), widestName));
  char text[200];
  std::snprintf(text, sizeof text, "  %-*s %9s %12s %12s\n", width, kind.c_str(), "calls",
                "total ms", "mean ms");
  std::string table = text;
  for (const auto &[name, row] : sorted) {
    double milliseconds = static_cast<double>(row.nanoseconds) * 1e-6;
    std::snprintf(text, sizeof text, "  %-*.*s %9ld %12.3f %12.3f\n", width, widestName,
                  name.c_str(), row.calls, milliseconds,
                  milliseconds / static_cast<double>(row.calls));
    table += text;
  }
  return table;
}

} // namespace

int64_t clockReading() {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

void noteCall(const char *kind, const std::string &name, int64_t nanoseconds) {
  std::lock_guard lock(calls().mutex);
  Row &row = calls().kinds[kind][name];
  ++row.calls;
  row.nanoseconds += nanoseconds;
}

std::string tablesOfCalls() {
  std::lock_guard lock(calls().mutex);
  std::string tables;
  for (const auto &[kind, rows] : calls().kinds)
    tables += tableOf(kind, rows);
  return tables;
}

} // namespace cufrt
