// `cufls refactor`: refactorings for files and projects.
#include "base/diag.h"
#include "base/process.h"
#include "base/source_text.h"
#include "base/terminal_text.h"
#include "commands/apply_fixes.h"
#include "commands/command_line.h"
#include "commands/output.h"
#include "commands/refactor_run.h"
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace cufc {
namespace {

const std::vector<CommandOption> &options() {
  static const std::vector<CommandOption> rows = {
      {"--list", "", "print the refactorings and what they do"},
      {"--at", "PLACE", "LINE, LINE:COLUMN or a range LINE[:COLUMN]-LINE[:COLUMN] of the one file"},
      {"--name", "NAME", "what is made is called so"},
      {"--order", "LIST", "change-signature: the dummies that stay, by name or number"},
      {"--add", "DUMMY", "change-signature: 'real, intent(in) :: x = 1.0', with what callers pass"},
      {"--dry-run", "", "print the differences and change nothing"},
      {"--format", "FORM", "text (default) or json: what became of each place"},
      {"--no-cache", "", "analyse everything, and remember nothing"},
      {"-v", "", "say why it was not done at other places"},
      {"--help", "", "print this text"},
  };
  return rows;
}

std::optional<TextPosition> positionIn(std::string_view text) {
  TextPosition position;
  auto take = [&](int &number) {
    auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(static_cast<size_t>(rest - text.data()));
    return failure == std::errc() && number > 0;
  };
  if (!take(position.line))
    return std::nullopt;
  if (text.starts_with(':')) {
    text.remove_prefix(1);
    if (!take(position.column))
      return std::nullopt;
  }
  return text.empty() ? std::optional(position) : std::nullopt;
}

// A range of whole lines ends behind its last one.
std::optional<TextRange> rangeIn(const std::string &text) {
  size_t dash = text.find('-');
  std::optional<TextPosition> begin = positionIn(std::string_view(text).substr(0, dash));
  if (!begin || dash == std::string::npos)
    return begin ? std::optional(TextRange{*begin, *begin}) : std::nullopt;
  std::optional<TextPosition> end = positionIn(std::string_view(text).substr(dash + 1));
  if (!end)
    return std::nullopt;
  if (text.find(':', dash) == std::string::npos)
    *end = {end->line + 1, 1};
  return TextRange{*begin, *end};
}

int printList() {
  std::string text;
  for (const Refactoring &row : refactorings())
    text += fmt::format("{:<20} {}\n", row.word, row.help);
  return std::fputs(text.c_str(), stdout) < 0 ? exitFailed : exitClean;
}

// The other name, as the same user would write it.
void printDifferences(const RefactorRun &run) {
  TemporaryFolder scratch;
  for (const auto &[path, text] : run.texts) {
    std::string before = path;
    for (const auto &[from, to] : run.renamed)
      before = to == path ? from : before;
    writeFile(scratch.path("after"), text);
    ProcessResult result = runProcess({"diff", "-u", "--label", shownPath(before), "--label",
                                       shownPath(path), before, scratch.path("after")});
    const bool shown = isatty(STDOUT_FILENO) != 0; // a file gets a patch
    std::fputs((shown ? terminalText(result.output) : result.output).c_str(), stdout);
  }
}

void writeFiles(const RefactorRun &run, Diagnostics &diagnostics) {
  for (const auto &[path, text] : run.texts) {
    std::error_code error;
    bool isNew = !std::filesystem::exists(path, error);
    if (!(isNew ? writeFile(path, text) : replaceFile(path, text)))
      diagnostics.report(Diag::CannotWrite, {}, path, std::strerror(errno));
  }
  for (const auto &[from, to] : run.renamed)
    if (std::error_code error; !diagnostics.hasErrors() && !std::filesystem::remove(from, error))
      diagnostics.report(Diag::CannotWrite, {}, from, error.message());
}

void printPlaces(const RefactorRun &run, bool json, bool all) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const RefactoredPlace &place : run.places) {
    bool done = place.refusal.empty();
    if (json)
      list.push_back({{"file", place.file},
                      {"line", place.begin.line},
                      {"column", place.begin.column},
                      {"done", done},
                      {"title", place.title},
                      {"reason", place.refusal}});
    else if (done || all)
      fmt::print(stderr, "{}:{}: {}\n", terminalText(shownPath(place.file), LineEnds::Shown),
                 place.begin.line, terminalText(done ? place.title : "not done: " + place.refusal));
  }
  if (json)
    fmt::print("{}\n", list.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

int finish(const RefactorRun &run, const CommandLine &line, bool json, Diagnostics &diagnostics) {
  size_t done = 0;
  for (const RefactoredPlace &place : run.places)
    done += place.refusal.empty() ? 1 : 0;
  bool placed = line.has("--at");
  printPlaces(run, json, line.has("-v") || placed);
  if (line.has("--dry-run") && !json)
    printDifferences(run);
  else if (!line.has("--dry-run"))
    writeFiles(run, diagnostics);
  fmt::print(stderr, "cufls: {} {} of {} in {} {}\n", done, done == 1 ? "place" : "places",
             run.places.size(), run.texts.size(), run.texts.size() == 1 ? "file" : "files");
  if (diagnostics.hasErrors())
    return diagnostics.flush(), exitFailed;
  return placed && done == 0 ? exitErrors : exitClean;
}

} // namespace

int refactorCommand(const Arguments &given) {
  Diagnostics diagnostics;
  CommandLine line = parseCommandLine(given, options(), diagnostics);
  if (line.has("--help"))
    return printHelp("refactor NAME [PATH...] [options] [-- FLAGS of cufc]",
                     "Changes programs and keeps what they do: at one place, or in files and "
                     "folders wherever it\ncan be seen to be right. What comes out is analysed "
                     "before it is written.\nExit status: 0 done, or nothing to do; 1 refused at "
                     "the place asked for; 2 could not run.",
                     options());
  if (line.has("--list"))
    return printList();
  std::string word = line.operands.empty() ? "" : line.operands.front();
  const Refactoring *row = findRefactoring(word);
  if (!row)
    diagnostics.report(Diag::BadOptionValue, {}, word, "refactor",
                       "a name that `cufls refactor --list` prints");
  std::string form = line.value("--format");
  if (!form.empty() && form != "text" && form != "json")
    diagnostics.report(Diag::BadOptionValue, {}, form, "--format", "text or json");
  std::optional<TextRange> at = rangeIn(line.value("--at"));
  if (line.has("--at") && (!at || line.operands.size() != 2))
    diagnostics.report(Diag::BadOptionValue, {}, line.value("--at"), "--at",
                       "LINE[:COLUMN][-LINE[:COLUMN]] of one file");
  if (diagnostics.hasErrors())
    return diagnostics.flush(), exitFailed;
  RefactorRun run(*row, {line.value("--name"), line.value("--order"), line.value("--add")},
                  line.rest);
  run.useCache(!line.has("--no-cache"));
  Arguments paths(line.operands.begin() + 1, line.operands.end());
  for (const std::string &path : paths.empty() ? Arguments{"."} : paths)
    run.add(path, diagnostics);
  if (diagnostics.hasErrors() || !run.run(at, diagnostics))
    return diagnostics.flush(), exitFailed;
  return finish(run, line, form == "json", diagnostics);
}

} // namespace cufc
