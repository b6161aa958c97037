// The limits on what kernels cost that `cufls check` takes, and the baseline with which CI
// compares.
#ifndef CUFLS_COMMANDS_COST_LIMITS_H
#define CUFLS_COMMANDS_COST_LIMITS_H

#include "commands/command_line.h"
#include "commands/measure_run.h"

namespace cufc {

struct CostLimits {
  bool show = false;                             // CUF0601 to CUF0605 as well
  std::optional<int> minOccupancy, maxRegisters; // percent; a thread
  bool noSpills = false;
  std::string baseline; // a file
  bool update = false;  // write it
  std::string gpu;

  bool any() const { return show || minOccupancy || maxRegisters || noSpills || !baseline.empty(); }
};

// The rows of --help.
std::vector<CommandOption> costOptions();
CostLimits costLimits(const CommandLine &line, Diagnostics &diagnostics);

// Measures the files of a check that was done with keepAnalyses. What is to be shown with the
// diagnostics of the files goes to `found`, what is wrong with the arguments or the baseline to
// `diagnostics`. False if it could not be done.
bool checkCostLimits(const CheckRun &run, const CostLimits &limits, std::vector<Diagnostic> &found,
                     Diagnostics &diagnostics);

// The baseline as JSON: for each kernel, by its file and name, what must not grow, and its
// occupancy, which must not fall.
std::string baselineText(const MeasuredRun &run, const std::string &folder);
// What costs more than in a baseline's text, and what is not in it.
void compareWithBaseline(const MeasuredRun &run, const std::string &path, const std::string &text,
                         Diagnostics &diagnostics);
// The GPU that a baseline's text is for, or nothing.
std::string gpuOfBaseline(const std::string &text);

} // namespace cufc
#endif // CUFLS_COMMANDS_COST_LIMITS_H
