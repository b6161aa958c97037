// The report as JSON: docs/report.md describes the fields. Numbers are written digit by digit,
// since a program may have chosen a locale with another decimal point.
#include "report/data.h"
#include "report/names.h"

#include <cmath>
#include <initializer_list>
#include <utility>

namespace cufrt::report {
namespace {

constexpr int64_t nanosecondsInSecond = 1'000'000'000;

// The length of a sequence of UTF-8 at `at`, or 0 if it is none.
size_t sequenceAt(const std::string &text, size_t at) {
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  unsigned first = byte(at);
  size_t length = first < 0x80       ? 1
                  : first >> 5 == 6  ? 2
                  : first >> 4 == 14 ? 3
                  : first >> 3 == 30 ? 4
                                     : 0;
  for (size_t i = 1; i < length; ++i)
    if (byte(at + i) >> 6 != 2)
      return 0;
  return length;
}

std::string quoted(const std::string &text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string made = "\"";
  for (size_t at = 0; at < text.size();) {
    size_t length = sequenceAt(text, at);
    auto letter = static_cast<unsigned char>(text[at]);
    if (letter == '"' || letter == '\\')
      made += std::string("\\") + text[at];
    else if (letter < 0x20)
      made += std::string("\\u00") + digits[letter >> 4] + digits[letter & 15];
    else
      made += length ? text.substr(at, length) : "\xef\xbf\xbd"; // U+FFFD
    at += length ? length : 1;
  }
  return made + "\"";
}

std::string decimal(int64_t whole, int64_t fraction, size_t digits) {
  std::string text = std::to_string(fraction);
  return std::to_string(whole) + "." + std::string(digits - text.size(), '0') + text;
}

std::string seconds(int64_t nanoseconds) {
  return decimal(nanoseconds / nanosecondsInSecond, nanoseconds % nanosecondsInSecond, 9);
}

std::string secondsOf(const Tally &tally) {
  return tally.timed > 0 ? seconds(tally.nanoseconds) : "null";
}

std::string meanOf(const Tally &tally) {
  return tally.timed > 0 ? seconds(tally.nanoseconds / tally.timed) : "null";
}

std::string bandwidthOf(const Tally &tally) {
  if (tally.timed == 0 || tally.nanoseconds == 0)
    return "null";
  double value = static_cast<double>(tally.timedBytes) / static_cast<double>(tally.nanoseconds);
  int64_t millionths = std::llround(value * 1e6);
  return decimal(millionths / 1'000'000, millionths % 1'000'000, 6);
}

// `fields` are names and values in turn.
std::string object(std::initializer_list<std::pair<const char *, std::string>> fields) {
  std::string made = "{";
  for (const auto &[name, value] : fields)
    made += (made.size() > 1 ? ",\"" : "\"") + std::string(name) + "\":" + value;
  return made + "}";
}

template <typename Row, typename TextOf>
std::string array(const std::vector<Row> &rows, const TextOf &textOf) {
  std::string made = "[";
  for (const Row &row : rows)
    made += (made.size() > 1 ? "," : "") + textOf(row);
  return made + "]";
}

std::string kernel(const KernelRow &row) {
  return object({{"name", quoted(row.name)},
                 {"libraryCall", row.libraryCall.empty() ? "null" : quoted(row.libraryCall)},
                 {"count", std::to_string(row.tally.count)},
                 {"timedCount", std::to_string(row.tally.timed)},
                 {"seconds", secondsOf(row.tally)},
                 {"meanSeconds", meanOf(row.tally)},
                 {"meanThreads", row.launches > 0 && row.threads > 0
                                     ? std::to_string(row.threads / row.launches)
                                     : "null"}});
}

std::string libraryCall(const LibraryRow &row) {
  return object({{"library", quoted(row.module)},
                 {"name", quoted(row.function)},
                 {"count", std::to_string(row.host.count)},
                 {"seconds", secondsOf(row.host)},
                 {"meanSeconds", meanOf(row.host)},
                 {"deviceSeconds", secondsOf(row.device)}});
}

std::string transfer(const TransferRow &row) {
  return object({{"direction", quoted(nameOf(row.direction).key)},
                 {"origin", quoted(nameOf(row.origin).key)},
                 {"count", std::to_string(row.tally.count)},
                 {"timedCount", std::to_string(row.tally.timed)},
                 {"bytes", std::to_string(row.tally.bytes)},
                 {"seconds", secondsOf(row.tally)},
                 {"gigabytesPerSecond", bandwidthOf(row.tally)}});
}

std::string range(const RangeRow &row) {
  return object({{"name", quoted(row.name)},
                 {"count", std::to_string(row.tally.count)},
                 {"seconds", secondsOf(row.tally)},
                 {"meanSeconds", meanOf(row.tally)},
                 {"ranges", array(row.inner, range)}});
}

std::string mark(const MarkRow &row) {
  return object({{"name", quoted(row.name)}, {"count", std::to_string(row.count)}});
}

std::string devices(const Data &data) {
  if (data.isHost)
    return "[" + object({{"kind", quoted("cpu")}, {"threads", std::to_string(data.hostThreads)}}) +
           "]";
  std::string made = "[";
  for (size_t i = 0; i < data.deviceNames.size(); ++i)
    made += (i ? "," : "") + object({{"kind", quoted("gpu")},
                                     {"number", std::to_string(data.deviceNumbers[i])},
                                     {"name", quoted(data.deviceNames[i])}});
  return made + "]";
}

const char *nameOf(Clock clock) {
  switch (clock) {
  case Clock::host:
    return "clock";
  case Clock::events:
    return "events";
  case Clock::profiler:
    return "cupti";
  }
  return "clock";
}

} // namespace

std::string jsonOf(const Data &data) {
  return object({{"format", quoted("cufrt-report")},
                 {"version", "1"},
                 {"program", quoted(data.program)},
                 {"process", std::to_string(data.process)},
                 {"rank", std::to_string(data.rank)},
                 {"ranks", std::to_string(data.ranks)},
                 {"seconds", seconds(data.nanoseconds)},
                 {"devices", devices(data)},
                 {"timing", quoted(nameOf(data.clock))},
                 {"notes", array(data.notes, quoted)},
                 {"kernels", array(data.kernels, kernel)},
                 {"libraryCalls", array(data.libraryCalls, libraryCall)},
                 {"transfers", array(data.transfers, transfer)},
                 {"ranges", array(data.ranges, range)},
                 {"marks", array(data.marks, mark)}}) +
         "\n";
}

} // namespace cufrt::report
