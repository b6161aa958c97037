// `cufls occupancy --format=json`; docs/occupancy.md describes it.
#include "server/occupancy_json.h"
#include "base/source_text.h"
#include "commands/occupancy.h"

namespace cufc {

std::string occupancyJson(const MeasuredRun &run) {
  OrderedJson kernels = OrderedJson::array();
  for (const KernelReport &kernel : run.kernels)
    kernels.push_back(
        kernelJson(kernel, run.gpu, run.chip,
                   [](OrderedJson &json, const std::string &file, const Place &place) {
                     json["file"] = shownPath(file);
                     json["line"] = place.line;
                   }));
  OrderedJson problems = OrderedJson::array();
  for (const Diagnostic &problem : run.problems)
    problems.push_back({{"file", shownPath(problem.range.file)},
                        {"line", problem.range.line},
                        {"message", problem.message}});
  OrderedJson json = {{"gpu", run.gpu.name()},
                      {"chip", run.chip.name},
                      {"multiprocessors", run.chip.multiprocessors},
                      {"limits", limitsJson(run.gpu)},
                      {"kernels", std::move(kernels)},
                      {"problems", std::move(problems)},
                      {"compiled", run.compiled},
                      {"remembered", run.remembered}};
  if (!run.note.empty())
    json["note"] = run.note;
  if (!run.missing.empty())
    json["missing"] = run.missing;
  return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

} // namespace cufc
