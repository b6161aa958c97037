// Places of reports are those of the analyses; they are moved to where they are now.
#include "ide/kernel_texts.h"
#include "base/source_text.h"
#include "occupancy/performance.h"
#include <algorithm>
#include <fmt/format.h>

namespace cufc {
namespace {

bool contains(const Query &query, const std::string &file, const Place &place) {
  if (file != query.file.path || place.file != 0)
    return false;
  std::optional<TextRange> now = query.file.now(place);
  return now && now->begin.line <= query.position.line && query.position.line <= now->end.line;
}

std::string counted(long long number, const char *one, const char *many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

// Editors cut long ones.
std::string launchLabel(const LaunchReport &launch, const CostsOf &of) {
  // The caller has asked for it. NOLINTNEXTLINE(bugprone-unchecked-optional-access)
  const Occupancy &occupancy = *launch.occupancy;
  if (occupancy.blocks == 0)
    return "does not fit on " + of.gpu;
  std::string text = "occupancy " + percent(occupancy.share);
  if (!of.users)
    return text + " on " + of.gpu;
  if (launch.fill)
    text += fmt::format(", {:.1f} waves", launch.fill->waves);
  return text;
}

std::string launchTooltip(const LaunchReport &launch, const CostsOf &of) {
  std::string text = launch.reason;
  auto add = [&](const std::string &more) { text += (text.empty() ? "" : "; ") + more; };
  if (of.users && launch.fill && launch.fill->idleMultiprocessors > 0)
    add(counted(launch.fill->idleMultiprocessors, "multiprocessor", "multiprocessors") + " of " +
        of.gpu + " without a block");
  if (launch.idleInGrid && *launch.idleInGrid > 0)
    add(counted(*launch.idleInGrid, "thread", "threads") + " of the last warps idle");
  if (!of.users)
    add("the GPU is set by cufls.gpu");
  return text;
}

} // namespace

const KernelReport *kernelNamedAt(const Query &query, const std::vector<KernelReport> &kernels) {
  for (const OccurrenceAt &at : occurrencesAt(query)) {
    std::string name = qualifiedName(*at.symbol.file->analysis, at.symbol.symbol);
    for (const KernelReport &kernel : kernels)
      if (!kernel.directive && lowerCase(kernel.name) == name)
        return &kernel;
  }
  for (const KernelReport &kernel : kernels)
    if (kernel.directive && contains(query, kernel.file, kernel.place))
      return &kernel;
  return nullptr;
}

const KernelReport *kernelAround(const Query &query, const std::vector<KernelReport> &kernels) {
  if (const KernelReport *named = kernelNamedAt(query, kernels))
    return named;
  for (const KernelReport &kernel : kernels) {
    if (contains(query, kernel.file, kernel.place))
      return &kernel;
    for (const LaunchReport &launch : kernel.launches)
      if (contains(query, launch.file, launch.place))
        return &kernel;
  }
  return nullptr;
}

std::string costTitle(const KernelReport &kernel, const CostsOf &of) {
  const KernelCost &cost = kernel.cost;
  std::string text = counted(cost.registers, "register", "registers");
  if (cost.callsOthers)
    text += " without callees";
  if (cost.sharedBytes + kernel.dynamicShared > 0)
    text += fmt::format(", {} bytes shared", cost.sharedBytes + kernel.dynamicShared);
  if (cost.spillStoreBytes + cost.spillLoadBytes > 0)
    text += ", spills";
  text += fmt::format(", occupancy {} with {}", percent(kernel.occupancy.share),
                      counted(kernel.blockSize, "thread", "threads"));
  return of.users ? text : text + " on " + of.gpu;
}

std::string costMarkdown(const KernelReport &kernel, const GpuLimits &gpu, const Chip &chip) {
  if (!kernel.known())
    return "What it costs on " + gpu.name() + " is not known: " + kernel.cost.problem + "\n";
  const KernelCost &cost = kernel.cost;
  std::string text =
      fmt::format("**{}** ({}): {} registers", gpu.name(), chip.name, cost.registers);
  if (cost.sharedBytes > 0)
    text += fmt::format(", {} bytes of static shared memory", cost.sharedBytes);
  if (cost.localBytes > 0)
    text += fmt::format(", {} bytes of local memory a thread", cost.localBytes);
  if (cost.spillStoreBytes + cost.spillLoadBytes > 0)
    text += fmt::format(", of which {} bytes are spills stored and {} loaded", cost.spillStoreBytes,
                        cost.spillLoadBytes);
  text += fmt::format("\n\noccupancy {} with blocks of {} threads: {}\n",
                      percent(kernel.occupancy.share), kernel.blockSize, kernel.reason);
  if (cost.callsOthers)
    text += "\nIt calls procedures of other files, whose registers and stack are not counted.\n";
  if (auto performance =
          performanceOf(cost.work, gpu, chip, kernel.occupancy, kernel.launchedThreads()))
    text += "\npredicted bound: " + describe(*performance) + "\n\n";
  for (const Change &change : kernel.changes)
    text += "- " + change.text + "\n";
  return text;
}

std::vector<InlayHint> costHints(const Query &query, const TextRange &range,
                                 const std::vector<KernelReport> &kernels, const CostsOf &of) {
  std::vector<InlayHint> hints;
  for (const KernelReport &kernel : kernels)
    for (const LaunchReport &launch : kernel.launches) {
      if (launch.file != query.file.path || !launch.occupancy)
        continue;
      std::optional<TextRange> now = query.file.now(launch.place);
      if (!now || now->end < range.begin || range.end < now->begin)
        continue;
      for (int line = now->begin.line; line <= now->end.line; ++line)
        if (size_t at = query.document().line(line).find(">>>"); at != std::string_view::npos) {
          hints.push_back({{line, static_cast<int>(at) + 4},
                           launchLabel(launch, of),
                           HintKind::Launch,
                           launchTooltip(launch, of)});
          break;
        }
    }
  std::sort(hints.begin(), hints.end(), [](const InlayHint &a, const InlayHint &b) {
    return std::tie(a.position, a.label) < std::tie(b.position, b.label);
  });
  return hints;
}

} // namespace cufc
