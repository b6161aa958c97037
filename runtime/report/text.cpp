// The report as tables, those that took longest first.
#include "report/data.h"
#include "report/names.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace cufrt::report {
namespace {

constexpr size_t widestName = 60;

struct Line {
  std::string name, rest;
};

__attribute__((format(printf, 1, 2))) std::string formatted(const char *format, ...) {
  char text[200];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

double milliseconds(const Tally &tally) { return static_cast<double>(tally.nanoseconds) * 1e-6; }

std::string total(const Tally &tally) {
  return tally.timed > 0 ? formatted(" %12.3f", milliseconds(tally)) : formatted(" %12s", "-");
}

std::string totalAndMean(const Tally &tally) {
  return formatted(" %9ld", static_cast<long>(tally.count)) + total(tally) +
         (tally.timed > 0
              ? formatted(" %12.3f", milliseconds(tally) / static_cast<double>(tally.timed))
              : formatted(" %12s", "-"));
}

std::string bandwidth(const Tally &tally) {
  if (tally.timed == 0 || tally.nanoseconds == 0)
    return formatted(" %9s", "-");
  return formatted(" %9.3f",
                   static_cast<double>(tally.timedBytes) / static_cast<double>(tally.nanoseconds));
}

std::string table(const Line &head, const std::vector<Line> &lines) {
  if (lines.empty())
    return "";
  size_t width = head.name.size();
  for (const Line &line : lines)
    width = std::max(width, std::min(line.name.size(), widestName));
  std::string all;
  auto add = [&](const Line &line) {
    std::string name = line.name.substr(0, widestName);
    all += "  " + name + std::string(width - name.size(), ' ') + line.rest + "\n";
  };
  add(head);
  for (const Line &line : lines)
    add(line);
  return all;
}

std::string timesHead() { return formatted(" %9s %12s %12s", "calls", "total ms", "mean ms"); }

std::string kernelTable(const Data &data) {
  std::vector<Line> lines;
  for (const KernelRow &row : data.kernels)
    lines.push_back({row.libraryCall.empty() ? row.name : row.libraryCall + ": " + row.name,
                     totalAndMean(row.tally)});
  return table({"kernel", timesHead()}, lines);
}

// What the device did is another column where it is another time than that of the call.
std::string libraryTable(const Data &data) {
  bool hasDevice = data.clock == Clock::profiler;
  std::vector<Line> lines;
  for (const LibraryRow &row : data.libraryCalls)
    lines.push_back({row.function, totalAndMean(row.host) + (hasDevice ? total(row.device) : "")});
  return table({"library call", timesHead() + (hasDevice ? formatted(" %12s", "device ms") : "")},
               lines);
}

std::string nameOf(const TransferRow &row) {
  bool isOfRoutine = row.direction == Direction::fill && row.origin == Origin::call;
  return std::string(nameOf(row.direction).text) + ", " +
         (isOfRoutine ? "cudaMemset" : nameOf(row.origin).text);
}

std::string transferTable(const Data &data) {
  std::vector<Line> lines;
  for (const TransferRow &row : data.transfers)
    lines.push_back({nameOf(row), formatted(" %9ld %15llu", static_cast<long>(row.tally.count),
                                            static_cast<unsigned long long>(row.tally.bytes)) +
                                      total(row.tally) + bandwidth(row.tally)});
  return table({"transfer", formatted(" %9s %15s %12s %9s", "calls", "bytes", "total ms", "GB/s")},
               lines);
}

void addRanges(const std::vector<RangeRow> &rows, size_t depth, std::vector<Line> &lines) {
  for (const RangeRow &row : rows) {
    lines.push_back({std::string(2 * depth, ' ') + row.name, totalAndMean(row.tally)});
    addRanges(row.inner, depth + 1, lines);
  }
}

std::string rangeTable(const Data &data) {
  std::vector<Line> lines;
  addRanges(data.ranges, 0, lines);
  return table({"range", timesHead()}, lines);
}

std::string markTable(const Data &data) {
  std::vector<Line> lines;
  for (const MarkRow &row : data.marks)
    lines.push_back({row.name, formatted(" %9ld", static_cast<long>(row.count))});
  return table({"mark", formatted(" %9s", "calls")}, lines);
}

std::string device(const Data &data) {
  if (data.isHost)
    return "the CPU, " + std::to_string(data.hostThreads) +
           (data.hostThreads == 1 ? " thread" : " threads");
  std::string names;
  for (size_t i = 0; i < data.deviceNames.size(); ++i)
    names +=
        (i ? ", " : "") + data.deviceNames[i] +
        (data.deviceNames.size() > 1 ? " (device " + std::to_string(data.deviceNumbers[i]) + ")"
                                     : "");
  return names.empty() ? "a GPU" : names;
}

} // namespace

std::string textOf(const Data &data) {
  std::string rank = data.ranks > 1 ? "rank " + std::to_string(data.rank) + " of " +
                                          std::to_string(data.ranks) + " "
                                    : "";
  std::string text = "cufrt: " + rank + "ran on " + device(data) + "\n";
  text += kernelTable(data) + libraryTable(data) + transferTable(data) + rangeTable(data) +
          markTable(data);
  for (const std::string &note : data.notes)
    text += "  " + note + "\n";
  return text;
}

} // namespace cufrt::report
