// `cufls tune`: the options, the curve, and the edit.
#include "commands/tune.h"
#include "base/diag.h"
#include "base/source_text.h"
#include "commands/apply_fixes.h"
#include "commands/build_session.h"
#include "commands/command_line.h"
#include "ide/refactor/refactoring.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace cufc {
namespace {

const std::vector<CommandOption> &options() {
  static const std::vector<CommandOption> rows = {
      {"--blocks", "N,NxM,...",
       "blocks to try, 256 or 32x8; by default sizes from 32 to 1024, or shapes of 64 to 1024"},
      {"--bounds", "", "try launch_bounds too, with the fastest block"},
      {"--repeat", "N", "runs for each size, of which the fastest counts; 3 by default"},
      {"--device", "WHERE", "gpu, host or auto, as with cufls run"},
      {"--gpu", "GPU", "for the predicted occupancy: ccNN or a chip; this machine's by default"},
      {"--apply", "", "write the best launch into the file"},
      {"--format", "FORM", "text (default) or json"},
      {"--help", "", "print this text"},
  };
  return rows;
}

// "32x8".
BlockShape shapeOf(const std::string &text, const std::string &list, Diagnostics &diagnostics) {
  BlockShape shape{1, 1, 1};
  size_t begin = 0;
  for (size_t d = 0; d < 3 && begin <= text.size(); ++d) {
    size_t end = std::min(text.find('x', begin), text.size());
    shape[d] = positiveNumber(text.substr(begin, end - begin), "--blocks", diagnostics);
    begin = end + 1;
  }
  if (begin <= text.size() || static_cast<long long>(shape[0]) * shape[1] * shape[2] > 1024)
    diagnostics.report(Diag::BadOptionValue, {}, list, "--blocks", "blocks of 1 to 1024 threads");
  return shape;
}

std::vector<BlockShape> shapesOf(const CommandLine &line, Diagnostics &diagnostics) {
  if (!line.has("--blocks"))
    return {};
  std::vector<BlockShape> shapes;
  std::string list = line.value("--blocks");
  for (size_t begin = 0; begin <= list.size() && !diagnostics.hasErrors();) {
    size_t end = std::min(list.find(',', begin), list.size());
    shapes.push_back(shapeOf(list.substr(begin, end - begin), list, diagnostics));
    begin = end + 1;
  }
  return shapes;
}

// One row of a table, `name` in front.
std::string rowOf(const TunedBlock &each, const std::string &name, const std::string &mark,
                  double slowest) {
  std::string occupancy = each.occupancy ? fmt::format("{:.0f} %", 100 * *each.occupancy) : "-";
  if (!each.problem.empty())
    return fmt::format("{:>7} {:>10} {:>12}  {}\n", name, occupancy, "-", each.problem);
  constexpr double widest = 40;
  auto width = static_cast<size_t>(slowest > 0 ? widest * each.seconds / slowest : 0);
  return fmt::format("{:>7} {:>10} {:>12.4f}  {}{}\n", name, occupancy, 1000 * each.seconds,
                     std::string(std::max<size_t>(width, 1), '#'), mark);
}

std::string tableOf(const Tuning &tuning, const std::string &file) {
  double slowest = 0;
  for (const auto *list : {&tuning.blocks, &tuning.bounds})
    for (const TunedBlock &each : *list)
      slowest = std::max(slowest, each.problem.empty() ? each.seconds : 0.0);
  std::string text = fmt::format("{} on {}\n\n{:>7} {:>10} {:>12}\n", tuning.kernel, tuning.device,
                                 "block", "occupancy", "ms a call");
  for (const TunedBlock &each : tuning.blocks)
    text += rowOf(each, textOf(each.shape),
                  std::string(each.now ? "  now" : "") +
                      (each.shape == tuning.bestShape ? "  best" : ""),
                  slowest);
  for (const TunedBlock &each : tuning.bounds)
    text += rowOf(each, each.bounds.empty() ? "unbound" : textOf(each.shape),
                  (each.bounds.empty() ? "" : "  " + each.bounds) +
                      (each.bounds == tuning.boundsBefore ? "  now" : "") +
                      (each.bounds == tuning.bestBounds ? "  best" : ""),
                  slowest);
  if (!tuning.boundsProblem.empty())
    text += "\nlaunch_bounds were not tried: " + tuning.boundsProblem + "\n";
  if (tuning.best.empty())
    return text + "\nNothing is faster than what stands there.\n";
  text +=
      fmt::format("\nBlocks of {} threads{} are the fastest. In {}:\n", textOf(tuning.bestShape),
                  tuning.bestBounds.empty() ? "" : " with " + tuning.bestBounds, shownPath(file));
  for (const TextChange &edit : tuning.best)
    text += fmt::format("  line {}, column {}: {}\n", edit.range.begin.line,
                        edit.range.begin.column, edit.text);
  return text;
}

nlohmann::ordered_json jsonOf(const TunedBlock &each) {
  using Json = nlohmann::ordered_json;
  Json json = {{"block", threadsOf(each.shape)},
               {"shape", each.shape},
               {"now", each.now},
               {"seconds", each.problem.empty() ? Json(each.seconds) : Json()},
               {"occupancy", each.occupancy ? Json(*each.occupancy) : Json()},
               {"problem", each.problem}};
  return json;
}

std::string jsonOf(const Tuning &tuning, const std::string &file) {
  using Json = nlohmann::ordered_json;
  Json blocks = Json::array(), bounds = Json::array(), edits = Json::array();
  for (const TunedBlock &each : tuning.blocks)
    blocks.push_back(jsonOf(each));
  for (const TunedBlock &each : tuning.bounds) {
    bounds.push_back(jsonOf(each));
    bounds.back()["bounds"] = each.bounds;
  }
  for (const TextChange &edit : tuning.best)
    edits.push_back({{"line", edit.range.begin.line},
                     {"column", edit.range.begin.column},
                     {"endLine", edit.range.end.line},
                     {"endColumn", edit.range.end.column},
                     {"newText", edit.text}});
  Json json = {{"kernel", tuning.kernel},
               {"device", tuning.device},
               {"file", shownPath(file)},
               {"before", threadsOf(tuning.before)},
               {"best", threadsOf(tuning.bestShape)},
               {"bestShape", tuning.bestShape},
               {"bestBounds", tuning.bestBounds},
               {"blocks", std::move(blocks)},
               {"bounds", std::move(bounds)},
               {"boundsProblem", tuning.boundsProblem},
               {"edits", std::move(edits)}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool apply(const Tuning &tuning, const std::string &file, Diagnostics &diagnostics) {
  std::string text;
  if (tuning.best.empty())
    return true;
  if (readFile(file, text) && replaceFile(file, changedText(Document(text), tuning.best)))
    return true;
  diagnostics.report(Diag::CannotWrite, {}, file, std::strerror(errno));
  return false;
}

} // namespace

int tuneCommand(const Arguments &given) {
  Diagnostics diagnostics;
  CommandLine line = parseCommandLine(given, options(), diagnostics);
  if (line.has("--help"))
    return printHelp("tune FILE KERNEL [options] [-- ARGUMENTS of the program]",
                     "Builds the program of FILE with other blocks in its launches of KERNEL, "
                     "runs it, and shows how\nlong a call of the kernel takes beside the predicted "
                     "occupancy. The file stays as it is without --apply.",
                     options());
  std::string form = line.value("--format");
  if (!form.empty() && form != "text" && form != "json")
    diagnostics.report(Diag::BadOptionValue, {}, form, "--format", "text or json");
  TuneWish wish;
  wish.shapes = shapesOf(line, diagnostics);
  wish.bounds = line.has("--bounds");
  if (line.has("--repeat"))
    wish.repeats = positiveNumber(line.value("--repeat"), "--repeat", diagnostics);
  wish.device = line.value("--device");
  wish.gpu = line.value("--gpu");
  wish.arguments = line.rest;
  if (line.operands.size() < 2)
    diagnostics.report(Diag::NoInput, {});
  for (size_t i = 2; i < line.operands.size(); ++i)
    diagnostics.report(Diag::ExtraOperand, {}, line.operands[i]);
  if (diagnostics.hasErrors())
    return refuse({}, diagnostics);
  wish.file = line.operands[0];
  wish.kernel = line.operands[1];
  std::optional<Tuning> tuning = tune(wish, diagnostics);
  if (!tuning || (line.has("--apply") && !apply(*tuning, absolutePath(wish.file), diagnostics))) {
    refuse({}, diagnostics);
    return exitErrors;
  }
  std::string text = form == "json" ? jsonOf(*tuning, wish.file) : tableOf(*tuning, wish.file);
  return std::fputs(text.c_str(), stdout) < 0 ? exitFailed : exitClean;
}

} // namespace cufc
