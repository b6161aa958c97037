// A baseline is a JSON file that belongs into version control. Kernels are named by their file,
// relative to the baseline, and their name; those of CUF kernel directives by their number in the
// file, since lines change.
#include "base/cost.h"
#include "commands/cost_limits.h"
#include "project/json_reader.h"
#include <filesystem>
#include <fmt/format.h>
#include <map>

namespace cufc {
namespace {

struct Entry {
  long long registers = 0, sharedBytes = 0, localBytes = 0, spillBytes = 0;
  int percent = 0; // occupancy
};

Entry entryOf(const KernelReport &kernel) {
  const KernelCost &cost = kernel.cost;
  return {cost.registers, cost.sharedBytes, cost.localBytes,
          cost.spillStoreBytes + cost.spillLoadBytes,
          static_cast<int>(kernel.occupancy.share * 100 + 1e-9)};
}

// By the keys of a baseline in `folder`.
std::map<std::string, const KernelReport *> keyed(const MeasuredRun &run,
                                                  const std::string &folder) {
  std::map<std::string, const KernelReport *> result;
  std::map<std::string, int> directives;
  for (const KernelReport &kernel : run.kernels) {
    if (!kernel.known())
      continue;
    std::string file = std::filesystem::path(kernel.file).lexically_relative(folder).string();
    std::string name = kernel.symbol >= 0 || !(kernel.directive || kernel.generated)
                           ? kernel.name
                           : fmt::format("CUF kernel {}", ++directives[file]);
    result[file.append(": ").append(name)] = &kernel;
  }
  return result;
}

std::string folderOf(const std::string &path) {
  std::error_code ignored;
  return std::filesystem::absolute(path, ignored).parent_path().lexically_normal().string();
}

void add(std::string &text, long long before, long long now, const char *unit) {
  if (now > before)
    text += fmt::format("{}{} instead of {} {} (+{})", text.empty() ? "" : ", ", now, before, unit,
                        now - before);
}

// What is worse now; empty if nothing is.
std::string growth(const Entry &before, const Entry &now) {
  std::string text;
  add(text, before.registers, now.registers, "registers");
  add(text, before.sharedBytes, now.sharedBytes, "bytes of shared memory");
  add(text, before.localBytes, now.localBytes, "bytes of local memory");
  add(text, before.spillBytes, now.spillBytes, "bytes of spills");
  if (now.percent < before.percent)
    text += fmt::format("{}an occupancy of {} % instead of {} % (-{})", text.empty() ? "" : ", ",
                        now.percent, before.percent, before.percent - now.percent);
  return text;
}

} // namespace

std::string baselineText(const MeasuredRun &run, const std::string &path) {
  std::string text = fmt::format("{{\n \"gpu\": \"{}\",\n \"kernels\": {{", run.gpu.name());
  const char *comma = "";
  for (const auto &[key, kernel] : keyed(run, folderOf(path))) {
    Entry entry = entryOf(*kernel);
    text += fmt::format("{}\n  {}: {{\"registers\": {}, \"sharedBytes\": {}, \"localBytes\": {}, "
                        "\"spillBytes\": {}, \"occupancyPercent\": {}}}",
                        comma, quoteJson(key), entry.registers, entry.sharedBytes, entry.localBytes,
                        entry.spillBytes, entry.percent);
    comma = ",";
  }
  return text + "\n }\n}\n";
}

std::string gpuOfBaseline(const std::string &text) {
  JsonValue value;
  Diagnostics ignored;
  return readJson("", text, value, ignored) ? value.string("gpu") : "";
}

void compareWithBaseline(const MeasuredRun &run, const std::string &path, const std::string &text,
                         Diagnostics &diagnostics) {
  JsonValue value;
  if (!readJson(path, text, value, diagnostics))
    return;
  const JsonValue *kernels = value.find("kernels");
  if (!kernels || !kernels->is(JsonValue::Kind::Object) || value.string("gpu") != run.gpu.name()) {
    diagnostics.report(
        Cost::BadBaseline, {}, path,
        kernels && !value.string("gpu").empty()
            ? fmt::format("it is for {}, not for {}", value.string("gpu"), run.gpu.name())
            : std::string("it was not written by --update-baseline"));
    return;
  }
  for (const auto &[key, kernel] : keyed(run, folderOf(path))) {
    SourceRange range = rangeIn(kernel->file, kernel->nameplace);
    const JsonValue *known = kernels->find(key);
    if (!known) {
      diagnostics.report(Cost::NotInBaseline, range, kernel->name, run.gpu.number);
      continue;
    }
    Entry before{known->integer("registers"), known->integer("sharedBytes"),
                 known->integer("localBytes"), known->integer("spillBytes"),
                 static_cast<int>(known->integer("occupancyPercent"))};
    if (std::string more = growth(before, entryOf(*kernel)); !more.empty())
      diagnostics.report(Cost::CostsMore, range, kernel->name, run.gpu.number, more);
  }
}

} // namespace cufc
