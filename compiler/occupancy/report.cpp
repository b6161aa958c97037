// A kernel in PTX is found in the analysis by its qualified name. The compiler names the kernel of
// a CUF kernel directive after the line of the directive; where no directive is in that line, it
// made the kernel of a statement with device arrays. Launches find kernels of other files by the
// name, too.
#include "occupancy/report.h"
#include "base/kernel_names.h"
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>

namespace cufc {
namespace {

constexpr int usualBlockSize = 256;

std::string lower(std::string text) {
  for (char &c : text)
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

// The numbers at the end of "cufk__QQmain_27_0", last first.
std::vector<int> trailingNumbers(std::string_view symbol) {
  std::vector<int> numbers;
  while (true) {
    size_t bar = symbol.rfind('_');
    int value = 0;
    if (bar == symbol.npos)
      return numbers;
    const char *end = symbol.data() + symbol.size();
    auto [rest, failure] = std::from_chars(symbol.data() + bar + 1, end, value);
    if (failure != std::errc() || rest != end)
      return numbers;
    numbers.push_back(value);
    symbol = symbol.substr(0, bar);
  }
}

std::optional<LaunchReport::Extents> constantExtents(const LaunchExtent &extent) {
  LaunchReport::Extents result{1, 1, 1};
  if (extent.extents.empty() || extent.extents.size() > 3)
    return std::nullopt;
  for (size_t i = 0; i < extent.extents.size(); ++i) {
    const auto &one = extent.extents[i];
    if (!one || *one <= 0 || *one > INT32_MAX)
      return std::nullopt;
    result[i] = *one;
  }
  return result;
}

std::optional<std::int64_t> product(const LaunchReport::Extents &extents) {
  std::int64_t result = 1;
  for (std::int64_t extent : extents) {
    if (result > INT64_MAX / extent)
      return std::nullopt;
    result *= extent;
  }
  return result;
}

// The value of a number or of a named constant.
std::optional<std::int64_t> valueOf(const Analysis &analysis, const std::string &word) {
  auto number = [](std::string_view text) -> std::optional<std::int64_t> {
    std::int64_t value = 0;
    auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool whole = rest == text.data() + text.size() || *rest == '_';
    return failure == std::errc() && whole && !text.empty() ? std::optional(value) : std::nullopt;
  };
  if (std::optional<std::int64_t> value = number(word))
    return value;
  std::optional<std::int64_t> found;
  for (const SymbolInfo &symbol : analysis.symbols)
    if (symbol.kind == SymbolKind::Constant && lower(symbol.name) == lower(word)) {
      std::optional<std::int64_t> value = number(symbol.value);
      if (!value || (found && *found != *value))
        return std::nullopt;
      found = value;
    }
  return found;
}

// Of a grid "(n + 255) / 256" with a constant n: the threads beyond n. Only the usual form is
// known, and only if it has the value that the compiler found.
std::optional<std::int64_t> idleThreads(const Analysis &analysis, const std::string &text,
                                        std::int64_t blocks, std::int64_t threads) {
  std::string word;
  size_t at = text.find_first_not_of(" (");
  while (at != std::string::npos && at < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'))
    word += text[at++];
  at = text.find_first_not_of(' ', at);
  if (word.empty() || at == std::string::npos || (text[at] != '+' && text[at] != '-') ||
      text.find('/') == std::string::npos)
    return std::nullopt;
  std::optional<std::int64_t> elements = valueOf(analysis, word);
  if (!elements || *elements <= 0 || (*elements - 1) / threads + 1 != blocks)
    return std::nullopt;
  return blocks * threads - *elements;
}

class Reporter {
public:
  Reporter(const std::vector<MeasuredFile> &files, const GpuLimits &gpu, const Chip &chip,
           const WhatIf &whatIf)
      : files(files), gpu(gpu), chip(chip), whatIf(whatIf) {}

  std::vector<KernelReport> run() {
    for (const MeasuredFile &file : files)
      if (file.costs)
        for (const KernelCost &cost : file.costs->kernels)
          addKernel(file, cost);
    for (const MeasuredFile &file : files)
      for (const LaunchInfo &launch : file.analysis->launches)
        if (KernelReport *kernel = kernelOf(file, launch))
          addLaunch(file, launch, *kernel);
    for (KernelReport &kernel : kernels)
      complete(kernel);
    return std::move(kernels);
  }

private:
  void addKernel(const MeasuredFile &file, const KernelCost &cost) {
    if (cost.symbol.ends_with(repeatingSuffix))
      return;
    KernelReport report;
    report.cost = cost;
    if (whatIf.registers > 0)
      report.cost.registers = whatIf.registers;
    report.name = cost.display;
    report.file = file.path;
    if (cost.symbol.starts_with(cufKernelPrefix))
      placeDirective(*file.analysis, report);
    else
      placeKernel(*file.analysis, report);
    kernels.push_back(std::move(report));
  }

  static void placeKernel(const Analysis &analysis, KernelReport &report) {
    for (const KernelInfo &kernel : analysis.kernels)
      if (kernel.symbol >= 0 && qualifiedName(analysis, kernel.symbol) == lower(report.name)) {
        report.symbol = kernel.symbol;
        report.place = kernel.place;
        report.nameplace = analysis.symbols[static_cast<size_t>(kernel.symbol)].declared;
        if (report.nameplace.file != kernel.place.file)
          report.nameplace = kernel.place; // of a separate module procedure
      }
  }

  static void placeDirective(const Analysis &analysis, KernelReport &report) {
    std::vector<int> lines = trailingNumbers(report.cost.symbol);
    for (int line : lines)
      for (const LaunchInfo &launch : analysis.launches)
        if (launch.kernel < 0 && launch.place.file == 0 && launch.place.line == line) {
          report.directive = true;
          report.place = report.nameplace = launch.place;
          report.name = fmt::format("CUF kernel in line {}", line);
          return;
        }
    report.generated = true;
    // A number behind the line keeps kernels of one line apart; it is a small one.
    constexpr int kernelsOfALine = 10;
    bool numbered = lines.size() > 1 && lines[0] < kernelsOfALine && lines[0] < lines[1];
    int line = lines.empty() ? 1 : lines[numbered ? 1 : 0];
    report.place = report.nameplace = {0, line, 1, line, 1};
    report.name = fmt::format("kernel of the statement in line {}", line);
  }

  KernelReport *kernelOf(const MeasuredFile &file, const LaunchInfo &launch) {
    if (launch.kernel < 0) {
      for (KernelReport &kernel : kernels)
        if (kernel.directive && kernel.file == file.path && kernel.place == launch.place)
          return &kernel;
      return nullptr;
    }
    std::string name = qualifiedName(*file.analysis, launch.kernel);
    KernelReport *last = nullptr;
    int found = 0;
    for (KernelReport &kernel : kernels) {
      if (lower(kernel.name) == name)
        return &kernel;
      // An interface of an external kernel stands in another scope.
      if (kernel.name.find("::") == std::string::npos &&
          name.ends_with("::" + lower(kernel.name))) {
        last = &kernel;
        ++found;
      }
    }
    return found == 1 ? last : nullptr;
  }

  void addLaunch(const MeasuredFile &file, const LaunchInfo &info, KernelReport &kernel) const {
    LaunchReport launch;
    launch.file = file.path;
    launch.place = info.place;
    launch.gridText = info.grid.text;
    launch.blockText = info.block.text;
    launch.grid = constantExtents(info.grid);
    launch.block = constantExtents(info.block);
    launch.dynamicShared = kernel.directive ? 0 : info.sharedBytes;
    std::optional<std::int64_t> threads = launch.block ? product(*launch.block) : std::nullopt;
    if (threads && *threads <= INT32_MAX && launch.dynamicShared && *launch.dynamicShared >= 0) {
      int size = static_cast<int>(*threads);
      KernelResources resources = kernel.resourcesWith(*launch.dynamicShared);
      launch.occupancy = occupancyOf(gpu, resources, size);
      launch.reason = reasonFor(gpu, resources, size);
      launch.idleInLastWarp =
          (GpuLimits::warpSize - size % GpuLimits::warpSize) % GpuLimits::warpSize;
      if (std::optional<std::int64_t> blocks = launch.grid ? product(*launch.grid) : std::nullopt) {
        launch.fill = gridFill(*launch.occupancy, chip.multiprocessors, *blocks);
        if (*blocks == (*launch.grid)[0] && *threads == (*launch.block)[0])
          launch.idleInGrid = idleThreads(*file.analysis, info.grid.text, *blocks, *threads);
      }
    }
    kernel.launches.push_back(std::move(launch));
  }

  void complete(KernelReport &kernel) const {
    kernel.blockSize = std::min(usualBlockSize, kernel.cost.maxThreads);
    for (const LaunchReport &launch : kernel.launches) {
      std::optional<std::int64_t> threads = launch.block ? product(*launch.block) : std::nullopt;
      if (launch.occupancy && threads) {
        kernel.blockSize = static_cast<int>(*threads);
        break;
      }
    }
    for (const LaunchReport &launch : kernel.launches)
      if (launch.dynamicShared) {
        kernel.dynamicShared = *launch.dynamicShared;
        break;
      }
    if (whatIf.blockSize > 0)
      kernel.blockSize = whatIf.blockSize;
    if (whatIf.sharedBytes >= 0)
      kernel.dynamicShared = whatIf.sharedBytes - kernel.cost.sharedBytes;
    if (!kernel.known())
      return;
    KernelResources resources = kernel.resources();
    kernel.occupancy = occupancyOf(gpu, resources, kernel.blockSize);
    kernel.reason = reasonFor(gpu, resources, kernel.blockSize);
    kernel.suggestedBlockSize = bestBlockSize(gpu, resources);
    kernel.changes = usefulChanges(gpu, resources, kernel.blockSize);
  }

  const std::vector<MeasuredFile> &files;
  const GpuLimits &gpu;
  const Chip &chip;
  const WhatIf &whatIf;
  std::vector<KernelReport> kernels;
};

} // namespace

std::vector<KernelReport> reportKernels(const std::vector<MeasuredFile> &files,
                                        const GpuLimits &gpu, const Chip &chip,
                                        const WhatIf &whatIf) {
  return Reporter(files, gpu, chip, whatIf).run();
}

std::string qualifiedName(const Analysis &analysis, int symbol) {
  const SymbolInfo &info = analysis.symbols[static_cast<size_t>(symbol)];
  std::string name = info.name;
  if (!info.module.empty())
    return lower(info.module + "::" + name);
  for (int scope = info.scope; scope >= 0;
       scope = analysis.scopes[static_cast<size_t>(scope)].parent)
    if (int owner = analysis.scopes[static_cast<size_t>(scope)].symbol; owner >= 0)
      name.insert(0, analysis.symbols[static_cast<size_t>(owner)].name + "::");
  return lower(name);
}

SourceRange rangeIn(const std::string &file, const Place &place) {
  if (place.file != 0)
    return {file, 1, 1, 1, 1};
  return {file, place.line, place.column, place.endLine, place.endColumn};
}

std::int64_t KernelReport::launchedThreads() const {
  std::int64_t most = 0;
  for (const LaunchReport &launch : launches) {
    std::optional<std::int64_t> blocks = launch.grid ? product(*launch.grid) : std::nullopt;
    std::optional<std::int64_t> threads = launch.block ? product(*launch.block) : std::nullopt;
    if (!blocks || !threads || *blocks > INT64_MAX / *threads)
      return 0;
    most = std::max(most, *blocks * *threads);
  }
  return most;
}

} // namespace cufc
