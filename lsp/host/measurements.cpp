// See measurements.h. Runs of the same sources on the same device replace each other.
#include "host/measurements.h"
#include "base/source_text.h"
#include <algorithm>

namespace cufc {
namespace {

bool isStale(const RunReport &run, const std::string &path, const ContentHash &now) {
  return run.sources.at(path) != now;
}

bool sameProgram(const RunReport &one, const RunReport &other) {
  auto samePath = [](const auto &a, const auto &b) { return a.first == b.first; };
  return one.device == other.device &&
         std::equal(one.sources.begin(), one.sources.end(), other.sources.begin(),
                    other.sources.end(), samePath);
}

} // namespace

std::vector<std::string> Measurements::take(const std::string &folder) {
  std::optional<RunReport> report = readRunReport(folder);
  if (!report)
    return {};
  std::vector<std::string> files;
  for (const auto &[path, hash] : report->sources)
    files.push_back(path);
  std::erase_if(runs, [&](const RunReport &old) { return sameProgram(old, *report); });
  runs.insert(runs.begin(), std::move(*report));
  return files;
}

std::vector<Measured<MeasuredKernel>> Measurements::kernel(const std::string &path,
                                                           const std::string &text,
                                                           const std::string &name) const {
  std::vector<Measured<MeasuredKernel>> found;
  ContentHash now = contentHash(text);
  for (const RunReport &run : runs) {
    bool known = std::any_of(found.begin(), found.end(),
                             [&](const auto &newer) { return newer.run->device == run.device; });
    if (known || !run.sources.contains(path))
      continue;
    for (const MeasuredKernel &kernel : run.kernels)
      if (lowerCase(kernel.name) == name)
        found.push_back({&run, &kernel, isStale(run, path, now)});
  }
  return found;
}

std::vector<Measured<MeasuredTransfer>> Measurements::transfers(const std::string &path,
                                                                const std::string &text) const {
  std::vector<Measured<MeasuredTransfer>> found;
  ContentHash now = contentHash(text);
  for (const RunReport &run : runs)
    if (run.sources.contains(path))
      for (const MeasuredTransfer &transfer : run.transfers)
        found.push_back({&run, &transfer, isStale(run, path, now)});
  return found;
}

} // namespace cufc
