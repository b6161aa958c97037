// Limits hold for each kernel with the block sizes of its launches, or for the usual one where none
// is known.
#include "commands/cost_limits.h"
#include "base/cost.h"
#include "base/diag.h"
#include "base/files.h"
#include "base/ordinary_files.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>

namespace cufc {
namespace {

constexpr int mostPercent = 100;

void checkOccupancy(const KernelReport &kernel, const MeasuredRun &run, int percentWanted,
                    Diagnostics &diagnostics) {
  auto report = [&](const SourceRange &range, const Occupancy &occupancy,
                    const std::string &reason) {
    if (occupancy.share * mostPercent + 1e-9 < percentWanted)
      diagnostics.report(Cost::OccupancyTooLow, range, kernel.name, percent(occupancy.share),
                         run.gpu.number, fmt::format("{} %", percentWanted), reason);
  };
  bool launched = false;
  for (const LaunchReport &launch : kernel.launches)
    if (launch.occupancy) {
      launched = true;
      report(rangeIn(launch.file, launch.place), *launch.occupancy, launch.reason);
    }
  if (!launched)
    report(rangeIn(kernel.file, kernel.nameplace), kernel.occupancy, kernel.reason);
}

void checkKernel(const KernelReport &kernel, const MeasuredRun &run, const CostLimits &limits,
                 Diagnostics &diagnostics) {
  SourceRange range = rangeIn(kernel.file, kernel.nameplace);
  const KernelCost &cost = kernel.cost;
  if (limits.minOccupancy)
    checkOccupancy(kernel, run, *limits.minOccupancy, diagnostics);
  if (limits.maxRegisters && cost.registers > *limits.maxRegisters)
    diagnostics.report(Cost::RegistersTooMany, range, kernel.name, cost.registers, run.gpu.number,
                       cost.registers - *limits.maxRegisters);
  if (limits.noSpills && cost.spillStoreBytes + cost.spillLoadBytes > 0)
    diagnostics.report(Cost::SpillsForbidden, range, kernel.name, run.gpu.number,
                       cost.spillStoreBytes, cost.spillLoadBytes);
}

bool useBaseline(const MeasuredRun &run, const CostLimits &limits, const std::string &text,
                 Diagnostics &costs, Diagnostics &diagnostics) {
  if (limits.update) {
    if (writeFile(limits.baseline, baselineText(run, limits.baseline)))
      return true;
    diagnostics.report(Diag::CannotWrite, {}, limits.baseline, std::strerror(errno));
    return false;
  }
  Diagnostics found;
  compareWithBaseline(run, limits.baseline, text, found);
  for (const Diagnostic &diagnostic : found.list()) {
    bool ofKernel = diagnostic.code == "CUF0613" || diagnostic.code == "CUF0616";
    (ofKernel ? costs : diagnostics).add(diagnostic);
  }
  return !diagnostics.hasErrors();
}

} // namespace

std::vector<CommandOption> costOptions() {
  return {
      {"--occupancy", "", "also say what kernels and launches waste on a GPU; needs ptxas"},
      {"--gpu", "GPU", "ccNN, or a chip such as H200, for this and the next ones"},
      {"--min-occupancy", "N", "an error for kernels with an occupancy below N percent"},
      {"--max-registers", "N", "an error for kernels with more than N registers a thread"},
      {"--no-spills", "", "an error for kernels that run out of registers"},
      {"--occupancy-baseline", "FILE", "an error for kernels that cost more than FILE says"},
      {"--update-baseline", "", "write FILE instead"},
  };
}

CostLimits costLimits(const CommandLine &line, Diagnostics &diagnostics) {
  CostLimits limits;
  limits.show = line.has("--occupancy");
  if (line.has("--min-occupancy")) {
    limits.minOccupancy =
        positiveNumber(line.value("--min-occupancy"), "--min-occupancy", diagnostics);
    if (*limits.minOccupancy > mostPercent)
      diagnostics.report(Diag::BadOptionValue, {}, line.value("--min-occupancy"), "--min-occupancy",
                         "1 to 100 percent");
  }
  if (line.has("--max-registers"))
    limits.maxRegisters =
        positiveNumber(line.value("--max-registers"), "--max-registers", diagnostics);
  limits.noSpills = line.has("--no-spills");
  limits.baseline = line.value("--occupancy-baseline");
  limits.update = line.has("--update-baseline");
  limits.gpu = line.value("--gpu");
  if (limits.update && limits.baseline.empty())
    diagnostics.report(Diag::OptionRefused, {}, "--update-baseline",
                       "it needs --occupancy-baseline=FILE");
  return limits;
}

bool checkCostLimits(const CheckRun &run, const CostLimits &limits, std::vector<Diagnostic> &found,
                     Diagnostics &diagnostics) {
  MeasureChoice choice;
  choice.gpu = limits.gpu;
  choice.useCache = run.useCache;
  std::string baseline;
  if (!limits.baseline.empty() && !limits.update) {
    if (!readFile(limits.baseline, baseline)) {
      diagnostics.report(Diag::CannotRead, {}, limits.baseline, readFailure());
      return false;
    }
    if (choice.gpu.empty())
      choice.gpu = gpuOfBaseline(baseline);
  }
  std::optional<MeasuredRun> measured = measure(run, choice, diagnostics);
  if (!measured)
    return false;
  Diagnostics costs;
  for (const Diagnostic &problem : measured->problems)
    costs.add(problem);
  if (limits.show)
    checkCosts(measured->kernels, measured->gpu, measured->chip, costs);
  for (const KernelReport &kernel : measured->kernels)
    if (kernel.known())
      checkKernel(kernel, *measured, limits, costs);
  if (!limits.baseline.empty() && !useBaseline(*measured, limits, baseline, costs, diagnostics))
    return false;
  found = run.shownWith(costs.list());
  return true;
}

} // namespace cufc
