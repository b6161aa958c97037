// A finished report as plain data, of which text and JSON are made. Times are in nanoseconds.
#ifndef CUFRT_REPORT_DATA_H
#define CUFRT_REPORT_DATA_H

#include "report/work.h"

#include <string>
#include <vector>

namespace cufrt::report {

struct Tally {
  int64_t count = 0, timed = 0; // those that are measured
  int64_t nanoseconds = 0;      // of these
  uint64_t bytes = 0, timedBytes = 0;
};

struct KernelRow {
  std::string name, libraryCall; // the latter is empty for the program's own
  Tally tally;
  int64_t launches = 0, threads = 0; // of the program's own: calls of launch, and their threads
};

struct TransferRow {
  Direction direction;
  Origin origin;
  Tally tally;
};

struct LibraryRow {
  std::string module, function;
  Tally host;   // the calls, by the clock
  Tally device; // what they had the device do, where that is known
};

struct RangeRow {
  std::string name;
  Tally tally;
  std::vector<RangeRow> inner;
};

struct MarkRow {
  std::string name;
  int64_t count;
};

enum class Clock { host, events, profiler };

struct Data {
  std::string program;
  long process = 0;
  int rank = 0, ranks = 1;
  bool isHost = true;
  int hostThreads = 1;
  std::vector<int> deviceNumbers;
  std::vector<std::string> deviceNames;
  Clock clock = Clock::host;
  std::vector<std::string> notes;
  int64_t nanoseconds = 0; // since the device was chosen
  std::vector<KernelRow> kernels;
  std::vector<LibraryRow> libraryCalls;
  std::vector<TransferRow> transfers;
  std::vector<RangeRow> ranges;
  std::vector<MarkRow> marks;
};

std::string textOf(const Data &data);

// One line.
std::string jsonOf(const Data &data);

} // namespace cufrt::report
#endif // CUFRT_REPORT_DATA_H
