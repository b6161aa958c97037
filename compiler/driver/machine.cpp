// The GPUs of this machine are those that nvidia-smi lists, which comes with the driver.
#include "driver/machine.h"
#include "base/command_line_diag.h"
#include "base/diag.h"
#include "base/process.h"
#include "codegen/targets.h"
#include <algorithm>
#include <fmt/format.h>
#include <sstream>

namespace cufc {
namespace {

class Machine {
public:
  Machine(Options &options, const std::optional<Toolkit> &toolkit, Diagnostics &diagnostics)
      : options(options), toolkit(toolkit), diagnostics(diagnostics) {}

  void fit() {
    checkProcessor(options.host.cpu, "-tp and -march");
    if (!options.host.tune.empty() && options.host.tune != "generic")
      checkProcessor(options.host.tune, "-mtune");
    if (!options.host.machine->isX86())
      checkArm();
    if (options.nativeGpu)
      addNativeGpus();
    if (toolkit)
      checkGpus();
    checkToolkit();
  }

private:
  void note(const std::string &option, const std::string &text) {
    diagnostics.report(CommandLineDiag::OptionNoted, {}, option, text);
  }

  void checkArm() {
    if (options.host.codeModel != "small" && !options.host.codeModel.empty())
      note("-mcmodel=" + options.host.codeModel, "on aarch64 code of the small model reaches 4 GB");
    for (const std::string &feature : options.host.features)
      diagnostics.report(Diag::OptionRefused, {},
                         (feature[0] == '-' ? "-mno-" : "-m") + feature.substr(1),
                         std::string("these are instructions of x86-64"));
  }

  void checkProcessor(const std::string &name, const char *option) {
    if (!isProcessor(name, *options.host.machine))
      diagnostics.report(Diag::BadOptionValue, {}, name, std::string(option),
                         std::string(options.host.machine->processors) +
                             " and other names of LLVM");
  }

  // "9.0" on a line for each GPU.
  void addNativeGpus() {
    ProcessResult found{1, ""};
    if (!findProgram("nvidia-smi").empty())
      found = runProcess({"nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"});
    size_t before = options.gpus.size();
    std::istringstream lines(found.status == 0 ? found.output : "");
    for (std::string line; std::getline(lines, line);) {
      std::optional<Gpu> gpu = findGpu(line);
      auto same = [&](const Gpu &other) { return other.number == gpu->number; };
      if (gpu && std::none_of(options.gpus.begin(), options.gpus.end(), same))
        options.gpus.push_back(*gpu);
    }
    if (options.gpus.size() == before)
      note("-gpu=native", "no GPU was found here; the code is for those of the default");
  }

  void checkGpus() {
    if (!toolkit)
      return;
    std::string version =
        fmt::format("{}.{}", toolkit->version / 1000, toolkit->version % 1000 / 10);
    std::vector<Gpu> kept;
    for (const Gpu &gpu : options.gpus)
      if (toolkit->supports(gpu))
        kept.push_back(gpu);
      else if (isOlderThanAll(gpu))
        note(fmt::format("-gpu=cc{}", gpu.number),
             fmt::format("version {} of the toolkit builds for newer GPUs alone; the code is for "
                         "those that there are",
                         version));
      else
        diagnostics.report(Diag::GpuTooNew, {}, toolkit->root, version, gpu.number);
    options.gpus = std::move(kept);
  }

  bool isOlderThanAll(const Gpu &gpu) const {
    const std::vector<Gpu> &all = allGpus();
    return std::none_of(all.begin(), all.end(), [&](const Gpu &other) {
      return other.number <= gpu.number && toolkit && toolkit->supports(other);
    });
  }

  void checkToolkit() {
    for (const std::string &asked : options.toolkitVersions) {
      std::string found =
          toolkit ? fmt::format("{}.{}", toolkit->version / 1000, toolkit->version % 1000 / 10)
                  : "none";
      bool same = asked == found || asked == found.substr(0, found.find('.'));
      if (toolkit && !same)
        note("-gpu=cuda" + asked,
             fmt::format("the toolkit at {} is used, version {}", toolkit->root, found));
    }
  }

  Options &options;
  const std::optional<Toolkit> &toolkit;
  Diagnostics &diagnostics;
};

} // namespace

void fitToMachine(Options &options, const std::optional<Toolkit> &toolkit,
                  Diagnostics &diagnostics) {
  Machine(options, toolkit, diagnostics).fit();
}

} // namespace cufc
