// The folder has report.json, of ranks report.rank0.json and so on, and `sources`: a line with the
// bandwidth, then one with hash and path for each source.
#include "occupancy/run_report.h"
#include "base/files.h"
#include "project/json_reader.h"
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

namespace cufc {
namespace {

std::string sourcesFile(const std::string &folder) { return folder + "/sources"; }

double number(const JsonValue &object, const char *name) {
  const JsonValue *value = object.find(name);
  return value && value->is(JsonValue::Kind::Number) ? std::strtod(value->text.c_str(), nullptr)
                                                     : 0;
}

const std::vector<JsonValue> &list(const JsonValue &object, const char *name) {
  static const std::vector<JsonValue> none;
  const JsonValue *value = object.find(name);
  return value ? value->items : none;
}

std::string deviceIn(const JsonValue &report, bool &onGpu) {
  std::string names;
  for (const JsonValue &device : list(report, "devices")) {
    onGpu = device.string("kind") == "gpu";
    std::string name = onGpu ? device.string("name")
                             : fmt::format("CPU, {} thread{}", device.integer("threads"),
                                           device.integer("threads") == 1 ? "" : "s");
    if (names.find(name) == std::string::npos)
      names += (names.empty() ? "" : " and ") + name;
  }
  return names;
}

// Means of several ranks are weighted by how often each has called.
void addKernel(const JsonValue &row, RunReport &report) {
  double timed = number(row, "timedCount");
  const JsonValue *call = row.find("libraryCall");
  if (timed <= 0 || (call && call->is(JsonValue::Kind::String)))
    return;
  std::string name = row.string("name");
  auto found = std::find_if(report.kernels.begin(), report.kernels.end(),
                            [&](const MeasuredKernel &kernel) { return kernel.name == name; });
  if (found == report.kernels.end())
    found = report.kernels.insert(found, {name, 0, 0, 0});
  double before = static_cast<double>(found->count), now = number(row, "count");
  auto mean = [&](double old, double added) {
    return (old * before + added * now) / (before + now);
  };
  found->meanSeconds = mean(found->meanSeconds, number(row, "seconds") / timed);
  found->meanThreads = mean(found->meanThreads, number(row, "meanThreads"));
  found->count += row.integer("count");
}

void addTransfer(const JsonValue &row, RunReport &report) {
  double seconds = number(row, "seconds");
  if (seconds <= 0)
    return;
  std::string direction = row.string("direction");
  auto found =
      std::find_if(report.transfers.begin(), report.transfers.end(),
                   [&](const MeasuredTransfer &other) { return other.direction == direction; });
  if (found == report.transfers.end())
    found = report.transfers.insert(found, {direction, 0, 0, 0});
  found->count += row.integer("timedCount");
  found->bytes += number(row, "gigabytesPerSecond") * 1e9 * seconds;
  found->seconds += seconds;
}

bool addReport(const std::string &file, RunReport &report) {
  std::string text;
  JsonValue json;
  Diagnostics mistakes;
  if (!readFile(file, text) || !readJson(file, text, json, mistakes) ||
      json.string("format") != "cufrt-report")
    return false;
  report.device = deviceIn(json, report.onGpu);
  for (const JsonValue &row : list(json, "kernels"))
    addKernel(row, report);
  for (const JsonValue &row : list(json, "transfers"))
    addTransfer(row, report);
  return true;
}

void readSources(const std::string &folder, RunReport &report) {
  std::string text;
  readFile(sourcesFile(folder), text);
  size_t end = text.find('\n');
  report.hostGigabytes = std::strtod(text.c_str(), nullptr);
  for (size_t begin = end; begin != std::string::npos && begin + 1 < text.size(); begin = end) {
    end = text.find('\n', begin + 1);
    std::string line = text.substr(begin + 1, end - begin - 1);
    if (line.size() < 34)
      continue;
    ContentHash hash;
    hash.high = std::strtoull(line.substr(0, 16).c_str(), nullptr, 16);
    hash.low = std::strtoull(line.substr(16, 16).c_str(), nullptr, 16);
    report.sources[line.substr(33)] = hash;
  }
}

} // namespace

std::string measuredReportFile(const std::string &folder) { return folder + "/report.json"; }

bool writeMeasuredSources(const std::string &folder, const std::vector<std::string> &paths,
                          double hostGigabytes) {
  std::string all = fmt::format("{}\n", hostGigabytes), text;
  for (const std::string &path : paths)
    if (readFile(path, text)) {
      ContentHash hash = contentHash(text);
      all += fmt::format("{:016x}{:016x} {}\n", hash.high, hash.low, path);
    }
  return writeFile(sourcesFile(folder), all);
}

std::optional<RunReport> readRunReport(const std::string &folder) {
  RunReport report;
  bool found = false;
  std::error_code error;
  for (const auto &entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".json")
      found |= addReport(entry.path(), report);
  if (!found)
    return std::nullopt;
  readSources(folder, report);
  return report;
}

} // namespace cufc
