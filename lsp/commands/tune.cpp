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
      {"--blocks", "N,N,...", "threads of a block; by default 32 to 1024"},
      {"--repeat", "N", "runs for each size, of which the fastest counts; 3 by default"},
      {"--device", "WHERE", "gpu, host or auto, as with cufls run"},
      {"--gpu", "GPU", "for the predicted occupancy: ccNN or a chip; this machine's by default"},
      {"--apply", "", "write the best size into the file"},
      {"--format", "FORM", "text (default) or json"},
      {"--help", "", "print this text"},
  };
  return rows;
}

std::vector<int> blocksOf(const CommandLine &line, Diagnostics &diagnostics) {
  if (!line.has("--blocks"))
    return {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
  std::vector<int> blocks;
  std::string list = line.value("--blocks");
  for (size_t begin = 0; begin <= list.size();) {
    size_t end = std::min(list.find(',', begin), list.size());
    blocks.push_back(positiveNumber(list.substr(begin, end - begin), "--blocks", diagnostics));
    if (blocks.back() > 1024)
      diagnostics.report(Diag::BadOptionValue, {}, list, "--blocks", "numbers from 1 to 1024");
    begin = end + 1;
  }
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  return blocks;
}

std::string tableOf(const Tuning &tuning, const std::string &file) {
  double slowest = 0;
  for (const TunedBlock &each : tuning.blocks)
    slowest = std::max(slowest, each.problem.empty() ? each.seconds : 0.0);
  std::string text = fmt::format("{} on {}\n\n{:>7} {:>10} {:>12}\n", tuning.kernel, tuning.device,
                                 "block", "occupancy", "ms a call");
  constexpr double widest = 40;
  for (const TunedBlock &each : tuning.blocks) {
    std::string occupancy = each.occupancy ? fmt::format("{:.0f} %", 100 * *each.occupancy) : "-";
    std::string mark = each.block == tuning.bestBlock ? "  best" : "";
    mark = (each.now ? "  now" : "") + mark;
    if (!each.problem.empty()) {
      text += fmt::format("{:>7} {:>10} {:>12}  {}\n", each.block, occupancy, "-", each.problem);
      continue;
    }
    auto width = static_cast<size_t>(slowest > 0 ? widest * each.seconds / slowest : 0);
    text += fmt::format("{:>7} {:>10} {:>12.4f}  {}{}\n", each.block, occupancy,
                        1000 * each.seconds, std::string(std::max<size_t>(width, 1), '#'), mark);
  }
  if (tuning.best.empty())
    return text + "\nNothing is faster than what stands there.\n";
  text += fmt::format("\nBlocks of {} threads are the fastest. In {}:\n", tuning.bestBlock,
                      shownPath(file));
  for (const TextChange &edit : tuning.best)
    text += fmt::format("  line {}, column {}: {}\n", edit.range.begin.line,
                        edit.range.begin.column, edit.text);
  return text;
}

std::string jsonOf(const Tuning &tuning, const std::string &file) {
  using Json = nlohmann::ordered_json;
  Json blocks = Json::array(), edits = Json::array();
  for (const TunedBlock &each : tuning.blocks)
    blocks.push_back({{"block", each.block},
                      {"now", each.now},
                      {"seconds", each.problem.empty() ? Json(each.seconds) : Json()},
                      {"occupancy", each.occupancy ? Json(*each.occupancy) : Json()},
                      {"problem", each.problem}});
  for (const TextChange &edit : tuning.best)
    edits.push_back({{"line", edit.range.begin.line},
                     {"column", edit.range.begin.column},
                     {"endLine", edit.range.end.line},
                     {"endColumn", edit.range.end.column},
                     {"newText", edit.text}});
  Json json = {{"kernel", tuning.kernel},  {"device", tuning.device},
               {"file", shownPath(file)},  {"before", tuning.before},
               {"best", tuning.bestBlock}, {"blocks", std::move(blocks)},
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
                     "Builds the program of FILE with other block sizes in its launches of KERNEL, "
                     "runs it, and shows how\nlong a call of the kernel takes beside the predicted "
                     "occupancy. The file stays as it is without --apply.",
                     options());
  std::string form = line.value("--format");
  if (!form.empty() && form != "text" && form != "json")
    diagnostics.report(Diag::BadOptionValue, {}, form, "--format", "text or json");
  TuneWish wish;
  wish.blocks = blocksOf(line, diagnostics);
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
