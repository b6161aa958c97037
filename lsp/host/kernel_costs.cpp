// See kernel_costs.h. A measurement belongs to a text: the same text is not measured twice.
#include "host/kernel_costs.h"
#include "base/gpus.h"
#include "host/analyses.h"
#include "host/observer.h"
#include "host/projects.h"
#include "service/measure_kernels.h"
#include <fmt/format.h>

namespace cufc {
namespace {

bool hasErrors(const Analysis &analysis) {
  for (const Diagnostic &diagnostic : analysis.diagnostics)
    if (diagnostic.severity == Severity::Error)
      return true;
  return false;
}

// What only the number of multiprocessors and the size of blocks on one GPU decide.
bool isAboutOneChip(const Diagnostic &diagnostic) {
  return diagnostic.code == "CUF0603" || diagnostic.code == "CUF0604" ||
         diagnostic.code == "CUF0605";
}

} // namespace

void KernelCosts::setSettings(const CostSettings &settings) {
  enabled = settings.enabled;
  chosen.reset();
  if (std::optional<Gpu> gpu = findGpu(settings.gpu))
    chosen = cufc::chipOf(gpu->number);
  else if (!settings.gpu.empty())
    chosen = findChip(settings.gpu);
  if (enabled)
    knowsChip(); // asks for it before the first analysis is there
}

void KernelCosts::chipFound() {
  for (const std::string &path : std::exchange(waiting, {}))
    analysed(path);
  for (const auto &[path, file] : parts.workspace.files())
    if (file->open && file->analysis)
      parts.observer.costsChanged(path);
  parts.observer.meaningChanged();
}

Chip KernelCosts::chipOf(const std::string &path) {
  if (chosen)
    return *chosen;
  const std::optional<Chip> &local = this->local.get();
  Options options = parts.projects.optionsOf(parts.projects.of(path), path);
  if (!options.gpus.empty()) {
    int number = options.gpus.front().number;
    return local && local->number == number ? *local : cufc::chipOf(number).value_or(usualChip());
  }
  return local && findLimits(local->number) ? *local : usualChip();
}

bool KernelCosts::isUsersChip(const std::string &path) {
  if (chosen)
    return true;
  const std::optional<Chip> &local = this->local.get();
  return (local && findLimits(local->number)) ||
         !parts.projects.optionsOf(parts.projects.of(path), path).gpus.empty();
}

bool KernelCosts::hasKernels(const std::string &path) const {
  const SourceFile *file = parts.workspace.find(path);
  if (!file || !file->analysis)
    return false;
  for (const LaunchInfo &launch : file->analysis->launches)
    if (launch.kernel < 0)
      return true;
  return !file->analysis->kernels.empty();
}

void KernelCosts::analysed(const std::string &path) {
  const SourceFile *file = parts.workspace.find(path);
  if (!enabled || !file || !file->analysis || hasErrors(*file->analysis))
    return;
  if (!knowsChip()) {
    waiting.insert(path);
    return;
  }
  int gpu = chipOf(path).number;
  if (hasKernels(path))
    start(path, gpu);
  startLaunched(path, gpu);
}

// Files that are not open and define kernels that this one launches.
void KernelCosts::startLaunched(const std::string &path, int gpu) {
  const SourceFile *file = parts.workspace.find(path);
  for (const LaunchInfo &launch : file->analysis->launches) {
    if (launch.kernel < 0)
      continue;
    const std::string &module = file->analysis->symbols[static_cast<size_t>(launch.kernel)].module;
    const SourceFile *other = module.empty() ? nullptr : parts.workspace.moduleFile(module, file);
    if (other && !other->open && !entries.contains({other->path, gpu}))
      start(other->path, gpu);
  }
}

void KernelCosts::edited(const std::string &path) {
  for (auto &[key, entry] : entries)
    if (key.first == path) {
      entry.stale = true;
      if (std::uint32_t number = std::exchange(entry.running, 0)) {
        parts.analyses.endMeasuring(number);
        entry.text = 0;
      }
    }
}

void KernelCosts::modulesChanged(const std::string &path) {
  edited(path);
  for (auto &[key, entry] : entries)
    if (key.first == path)
      entry.text = 0;
}

void KernelCosts::forget(const std::string &path) {
  edited(path);
  std::erase_if(entries, [&](const auto &entry) { return entry.first.first == path; });
}

CostRequest KernelCosts::requestFor(const std::string &path, int gpu) const {
  const SourceFile *file = parts.workspace.find(path);
  LoadedProject &project = parts.projects.of(path);
  CostRequest request = costRequest(parts.projects.requestFor(project, path).front,
                                    parts.projects.optionsOf(project, path), gpu);
  if (file && file->open)
    request.front.text = file->document.text();
  if (const std::string &folder = parts.projects.analysesFolder(); !folder.empty())
    request.cache = directoryOf(folder) + "/kernels";
  return request;
}

void KernelCosts::code(const std::string &path, bool machineCode, const Chip &chip,
                       const std::function<void(const FileCosts &)> &done) {
  CostRequest request = requestFor(path, chip.number);
  request.keepPtx = true;
  request.keepSass = machineCode;
  std::uint32_t number = parts.analyses.measure(request, done);
  if (number == 0) {
    FileCosts none;
    none.missing = "no process for it could be started";
    done(none);
  }
}

void KernelCosts::start(const std::string &path, int gpu) {
  CostRequest request = requestFor(path, gpu);
  size_t text = std::hash<std::string>()(request.front.text.value_or(path)) | 1;
  Entry &entry = entries[{path, gpu}];
  if (entry.text == text) {
    entry.stale = entry.running != 0;
    return;
  }
  if (entry.running)
    parts.analyses.endMeasuring(entry.running);
  entry.text = text;
  entry.stale = true;
  entry.running = parts.analyses.measure(
      request, [this, key = Key(path, gpu)](FileCosts costs) { finished(key, std::move(costs)); });
  if (entry.running == 0) // the next worker's analysis of the file starts it again
    entry.text = 0;
}

void KernelCosts::finished(const Key &key, FileCosts costs) {
  auto found = entries.find(key);
  if (found == entries.end())
    return;
  Entry &entry = found->second;
  entry.running = 0;
  entry.stale = false;
  if (parts.analyses.lost())
    entry.text = 0;
  parts.observer.log(fmt::format("costs of {}: {} kernels compiled, {} as before {}", key.first,
                                 costs.compiled, costs.remembered, costs.missing));
  entry.costs = std::make_shared<FileCosts>(std::move(costs));
  for (const auto &[path, file] : parts.workspace.files())
    if (file->open && file->analysis) {
      bool before = warned.erase(path) != 0;
      if (!diagnosticsOf(path).empty())
        warned.insert(path);
      if (before || warned.contains(path))
        parts.observer.diagnosticsChanged(path);
      parts.observer.costsChanged(path);
    }
  parts.observer.meaningChanged();
}

CostView KernelCosts::view(const std::string &path, const WhatIf &whatIf,
                           const std::optional<Chip> &chip) {
  CostView view;
  bool known = enabled && (chip || knowsChip());
  if (chip)
    view.chip = *chip;
  else
    view.chip = known ? chipOf(path) : chosen.value_or(usualChip());
  view.gpu = *findLimits(view.chip.number);
  if (!enabled) {
    view.state = CostView::State::Unavailable;
    view.message = "the setting occupancy.enabled is off";
  }
  if (!known)
    return view;
  view.of = {view.chip.name, chip || isUsersChip(path)};
  int gpu = view.chip.number;
  const SourceFile *asked = parts.workspace.find(path);
  bool sound = asked && asked->analysis && !hasErrors(*asked->analysis);
  if (sound && hasKernels(path) && !entries.contains({path, gpu}))
    start(path, gpu);
  std::vector<MeasuredFile> files;
  for (const auto &[name, file] : parts.workspace.files()) {
    auto entry = entries.find({name, gpu});
    const FileCosts *costs = entry == entries.end() ? nullptr : entry->second.costs.get();
    if (file->analysis && (costs || file->open))
      files.push_back({name, file->analysis.get(), costs});
  }
  view.kernels = reportKernels(files, view.gpu, view.chip, whatIf);
  auto own = entries.find({path, gpu});
  if (own == entries.end() || !own->second.costs) {
    bool waits = own != entries.end() && own->second.running;
    view.state =
        waits || !hasKernels(path) ? CostView::State::Computing : CostView::State::Unavailable;
    if (!hasKernels(path))
      view.state = CostView::State::Ready; // its launches are all there is
    else if (!waits)
      view.message = sound ? "no process for it could be started" : "the source has errors";
    return view;
  }
  const FileCosts &costs = *own->second.costs;
  view.stale = own->second.stale;
  view.state = costs.missing.empty() ? CostView::State::Ready : CostView::State::Unavailable;
  view.message = costs.missing;
  view.noAssembler = costs.noAssembler;
  if (costs.missing.empty() && costs.compiledFor != costs.gpu)
    view.message = fmt::format("registers and memory are those of code for cc{}, since this "
                               "toolkit does not know cc{}",
                               costs.compiledFor, costs.gpu);
  return view;
}

std::vector<Diagnostic> KernelCosts::diagnosticsOf(const std::string &path) {
  if (!enabled || entries.empty())
    return {};
  CostView view = this->view(path);
  if (view.stale)
    return {};
  Diagnostics found;
  checkCosts(view.kernels, view.gpu, view.chip, found);
  std::vector<Diagnostic> result;
  for (const Diagnostic &diagnostic : found.list())
    if (diagnostic.range.file == path && (view.of.users || !isAboutOneChip(diagnostic)))
      result.push_back(diagnostic);
  return result;
}

} // namespace cufc
