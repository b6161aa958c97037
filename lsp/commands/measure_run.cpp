// Files are measured one after another by forks of one worker; ptxas itself uses all cores.
#include "commands/measure_run.h"
#include "base/cost.h"
#include "base/diag.h"
#include "base/gpus.h"
#include "commands/caches.h"
#include <fmt/format.h>
#include <unistd.h>

namespace cufc {
namespace {

int firstGpuOf(const CheckRun &run) {
  for (const CheckRun::Kept &file : run.kept())
    if (file.request.gpu > 0)
      return file.request.gpu;
  return 0;
}

Chip chosenChip(const CheckRun &run) {
  std::optional<Chip> local = localChip();
  if (int gpu = firstGpuOf(run); gpu > 0)
    return local && local->number == gpu ? *local : chipOf(gpu).value_or(usualChip());
  return local && findLimits(local->number) ? *local : usualChip();
}

} // namespace

std::optional<Chip> chipNamed(const std::string &name, std::string_view option,
                              Diagnostics &diagnostics) {
  if (std::optional<Gpu> gpu = findGpu(name)) {
    std::optional<Chip> local = localChip();
    return local && local->number == gpu->number ? local : chipOf(gpu->number);
  }
  std::optional<Chip> chip = findChip(name);
  if (!chip)
    diagnostics.report(Diag::BadOptionValue, {}, name, option,
                       gpuNames() + ", or the name of a chip such as H200");
  return chip;
}

std::optional<MeasuredRun> measure(const CheckRun &run, const MeasureChoice &choice,
                                   Diagnostics &diagnostics) {
  std::optional<Chip> chip = choice.gpu.empty() ? std::optional(chosenChip(run))
                                                : chipNamed(choice.gpu, "--gpu", diagnostics);
  if (!chip)
    return std::nullopt;
  MeasuredRun result{*findLimits(chip->number), *chip, {}, {}, 0, 0, {}, {}, {}};
  Diagnostics problems;
  std::unique_ptr<Worker> worker;
  result.costs.reserve(run.kept().size());
  for (const CheckRun::Kept &file : run.kept()) {
    CostRequest request = file.request;
    request.gpu = chip->number;
    request.cache = choice.useCache ? cacheFolder("kernels") : "";
    request.keepPtx = choice.keepPtx;
    if (!worker)
      worker = Worker::start(request.front);
    if (!worker) {
      diagnostics.report(Diag::NoWorker, {});
      return std::nullopt;
    }
    FileCosts &costs = result.costs.emplace_back(measureNow(*worker, request));
    result.compiled += costs.compiled;
    result.remembered += costs.remembered;
    if (costs.noAssembler) { // once is enough
      if (result.missing.empty())
        problems.report(Cost::CostsUnknown, {file.path, 1, 1, 1, 1}, costs.missing);
      result.missing = costs.missing;
    } else if (!costs.missing.empty())
      problems.report(Cost::CostsUnknown, {file.path, 1, 1, 1, 1}, costs.missing);
    else if (costs.compiledFor != costs.gpu && !costs.kernels.empty())
      result.note = fmt::format("this toolkit's ptxas does not know cc{}; registers and memory are "
                                "those of code for cc{}",
                                costs.gpu, costs.compiledFor);
  }
  std::vector<MeasuredFile> files;
  for (size_t i = 0; i < run.kept().size(); ++i)
    files.push_back({run.kept()[i].path, &run.kept()[i].analysis, &result.costs[i]});
  result.kernels = reportKernels(files, result.gpu, result.chip, {choice.blockSize, 0, -1});
  for (const KernelReport &kernel : result.kernels)
    if (!kernel.known())
      problems.report(Cost::CostsUnknown, rangeIn(kernel.file, kernel.nameplace),
                      kernel.cost.problem);
  result.problems = problems.list();
  return result;
}

} // namespace cufc
