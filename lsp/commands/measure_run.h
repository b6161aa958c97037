// What `cufls occupancy` and the limits of `cufls check` have in common: the kernels of the files
// of a check, measured for one GPU.
#ifndef CUFLS_COMMANDS_MEASURE_RUN_H
#define CUFLS_COMMANDS_MEASURE_RUN_H

#include "commands/check_run.h"
#include "occupancy/report.h"

namespace cufc {

struct MeasuredRun {
  GpuLimits gpu;
  Chip chip;
  std::vector<FileCosts> costs; // by the order of CheckRun::kept
  std::vector<KernelReport> kernels;
  int compiled = 0, remembered = 0; // kernels that ptxas was run on, and others
  // What could not be measured, as diagnostics CUF0615 with their files, and what is uncertain.
  std::vector<Diagnostic> problems;
  std::string note;
  std::string missing; // why nothing can be measured on this machine; then it is a problem, too
};

struct MeasureChoice {
  std::string gpu; // "cc90" or a chip's name; empty: of the files' options, this machine, or cc90
  int blockSize = 0;
  bool useCache = true;
  bool keepPtx = false;
};

// The chip that a name stands for, with its limits; a wrong name is reported as a value of
// `option`.
std::optional<Chip> chipNamed(const std::string &name, std::string_view option,
                              Diagnostics &diagnostics);

// Measures the files of a check that was done with keepAnalyses. Nothing if the choice is wrong.
std::optional<MeasuredRun> measure(const CheckRun &run, const MeasureChoice &choice,
                                   Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFLS_COMMANDS_MEASURE_RUN_H
