// What a run of a program has measured, as `cufls run --measure-to=FOLDER` leaves it: the report
// of the program (docs/report.md), which sources it was built of, and what this machine's memory
// gives.
#ifndef CUFC_OCCUPANCY_RUN_REPORT_H
#define CUFC_OCCUPANCY_RUN_REPORT_H

#include "project/content_hash.h"
#include <map>
#include <optional>
#include <vector>

namespace cufc {

struct MeasuredKernel {
  std::string name; // "solver::step"; of a CUF kernel "main program, line 27"
  long long count = 0;
  double meanSeconds = 0;
  double meanThreads = 0; // of the grid; 0: not known
};

struct MeasuredTransfer {
  std::string direction; // "hostToDevice"
  long long count = 0;
  double bytes = 0, seconds = 0; // of those that are timed
};

struct RunReport {
  std::string device; // "NVIDIA H200"; "CPU, 8 threads"
  bool onGpu = false;
  double hostGigabytes = 0; // that the CPU's memory gives, 10**9 bytes a second; 0: not known
  std::vector<MeasuredKernel> kernels;
  std::vector<MeasuredTransfer> transfers;
  std::map<std::string, ContentHash> sources; // by path, as they were built
};

// The environment variable's value with which the program writes its report there.
std::string measuredReportFile(const std::string &folder);

// Before the program runs. False if the folder cannot be written.
bool writeMeasuredSources(const std::string &folder, const std::vector<std::string> &paths,
                          double hostGigabytes);

// All ranks of an MPI program together. Nothing if the program has left no report.
std::optional<RunReport> readRunReport(const std::string &folder);

} // namespace cufc
#endif // CUFC_OCCUPANCY_RUN_REPORT_H
