// `cufls check`: what is wrong in files and folders, without compiling.
#include "base/source_text.h"
#include "commands/apply_fixes.h"
#include "commands/check_programs.h"
#include "commands/check_run.h"
#include "commands/command_line.h"
#include "commands/cost_limits.h"
#include "commands/output.h"
#include "driver/caches.h"
#include "project/ask_build.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <set>

namespace cufc {
namespace {

const std::vector<CommandOption> &options() {
  static const std::vector<CommandOption> rows = [] {
    std::vector<CommandOption> all = {
        {"--format", "FORM", "text (default), json, sarif or github"},
        {"--allow", "WHAT", "do not show a code, a group or all; several with commas"},
        {"--hint", "WHAT", "show it as a hint"},
        {"--warn", "WHAT", "show it as a warning"},
        {"--error", "WHAT", "show it as an error"},
        {"--werror", "", "show warnings as errors"},
        {"--flags-from", "WHAT",
         "ask a build how it compiles: make, cmake, fpm, compile_commands or a file"},
        {"-j", "N", "analyse N files at once; as many as there are cores by default"},
        {"--no-cache", "", "analyse everything, and remember nothing"},
        {"--fix", "", "change the files: apply what diagnostics with one fix offer"},
        {"--run", "",
         "also build programs with checks and run them on the CPU; their arguments behind --"},
        {"--target", "NAME", "with --run: a program of cufls.json"},
        {"--watch", "", "stay, and check again whenever a file is saved"},
        {"-v", "", "say how many files were analysed"},
        {"--help", "", "print this text"},
    };
    std::vector<CommandOption> costs = costOptions();
    all.insert(all.end() - 1, costs.begin(), costs.end());
    return all;
  }();
  return rows;
}

void applySettings(const CommandLine &line, CheckRun &run, Diagnostics &diagnostics) {
  static constexpr std::pair<const char *, const char *> levels[] = {
      {"--allow", "off"}, {"--hint", "hint"}, {"--warn", "warning"}, {"--error", "error"}};
  for (const auto &[option, level] : levels) {
    auto values = line.options.find(option);
    if (values == line.options.end())
      continue;
    for (const std::string &value : values->second)
      for (size_t begin = 0; begin <= value.size();) {
        size_t end = std::min(value.find(',', begin), value.size());
        run.setSeverity(value.substr(begin, end - begin), level, diagnostics);
        begin = end + 1;
      }
  }
  if (line.has("--werror"))
    run.makeWarningsErrors();
}

// What the project as a whole lacks, before what is wrong in its files. A module that is missing is
// reported by the analysis of each file that uses it; the project adds which one may be meant.
void addProjectDiagnostics(const std::vector<Diagnostic> &list, std::vector<Diagnostic> &found) {
  constexpr std::string_view guess = "; did you mean";
  auto sameStart = [](const SourceRange &a, const SourceRange &b) {
    return a.line == b.line && a.column == b.column && shownPath(a.file) == shownPath(b.file);
  };
  std::vector<Diagnostic> further;
  for (const Diagnostic &diagnostic : list) {
    auto same = std::find_if(found.begin(), found.end(), [&](const Diagnostic &other) {
      return diagnostic.code == "CUF0133" && other.severity == Severity::Error &&
             sameStart(diagnostic.range, other.range);
    });
    size_t at = diagnostic.message.find(guess);
    if (same == found.end())
      further.push_back(diagnostic);
    else if (at != std::string::npos && same->message.find(guess) == std::string::npos)
      same->message += diagnostic.message.substr(at);
  }
  found.insert(found.begin(), further.begin(), further.end());
}

std::set<std::string> filesWithErrors(const std::vector<Diagnostic> &found) {
  std::set<std::string> files;
  for (const Diagnostic &diagnostic : found)
    if (diagnostic.severity == Severity::Error)
      files.insert(diagnostic.range.file);
  return files;
}

// In a file that had errors, what looks unused may be what the user was about to use: it stays.
std::vector<Diagnostic> mendable(const std::vector<Diagnostic> &found,
                                 const std::set<std::string> &broken) {
  std::vector<Diagnostic> result;
  std::copy_if(found.begin(), found.end(), std::back_inserter(result), [&](const Diagnostic &d) {
    return d.tag != DiagnosticTag::Unnecessary || !broken.contains(d.range.file);
  });
  return result;
}

// Mending one mistake can show another, or make room for a fix that overlapped.
std::vector<Diagnostic> checkAndFix(CheckRun &run, Diagnostics &diagnostics) {
  constexpr int mostRounds = 5;
  size_t count = 0;
  std::set<std::string> changed;
  Diagnostics ofProject;
  std::vector<Diagnostic> found = run.check(ofProject);
  const std::set<std::string> broken = filesWithErrors(found);
  for (int round = 0; round < mostRounds; ++round) {
    std::vector<Fix> fixes = fixesThatFit(mendable(found, broken));
    if (fixes.empty())
      break;
    Diagnostics unwritten;
    applyFixes(fixes, changed, unwritten);
    for (const Diagnostic &diagnostic : unwritten.list())
      diagnostics.add(diagnostic);
    if (unwritten.hasErrors())
      break;
    count += fixes.size();
    run.readAgain();
    ofProject = Diagnostics();
    found = run.check(ofProject);
  }
  for (const Diagnostic &diagnostic : ofProject.list())
    diagnostics.add(diagnostic);
  std::fprintf(stderr, "cufls: %zu %s in %zu %s\n", count, count == 1 ? "fix" : "fixes",
               changed.size(), changed.size() == 1 ? "file" : "files");
  return found;
}

// The answer is kept, so the next check need not ask.
void askFor(const std::string &path, const std::string &from, Diagnostics &diagnostics) {
  std::string absolute = absolutePath(path);
  std::error_code error;
  bool isFolder = std::filesystem::is_directory(absolute, error);
  BuildQuestion question{
      from, isFolder ? absolute : directoryOf(absolute), {}, cacheFolder("flags")};
  askBuild(question, false, diagnostics);
}

// The programs that --run is about: the sources that are named, and targets.
ProgramRuns programRuns(const CommandLine &line, const CheckRun &run) {
  ProgramRuns wish{{}, line.rest, run.jobs};
  std::error_code error;
  for (const std::string &path : line.operands)
    if (!std::filesystem::is_directory(path, error))
      wish.programs.push_back(path.find('/') == std::string::npos ? "./" + path : path);
  if (auto targets = line.options.find("--target"); targets != line.options.end())
    wish.programs.insert(wish.programs.end(), targets->second.begin(), targets->second.end());
  return wish;
}

bool hasErrors(const std::vector<Diagnostic> &list) {
  return std::any_of(list.begin(), list.end(),
                     [](const Diagnostic &d) { return d.severity == Severity::Error; });
}

int runCheck(const Arguments &given, DiagnosticFormat format, const CommandLine &line,
             Diagnostics &diagnostics) {
  CheckRun run(line.has("--run") ? Arguments() : line.rest);
  if (line.has("-j"))
    run.jobs = static_cast<size_t>(positiveNumber(line.value("-j"), "-j", diagnostics));
  run.useCache = !line.has("--no-cache");
  run.watching = line.has("--watch");
  run.format = format;
  Arguments paths = line.operands.empty() ? Arguments{"."} : line.operands;
  for (const std::string &path : paths) {
    if (line.has("--flags-from"))
      askFor(path, line.value("--flags-from"), diagnostics);
    run.add(path, diagnostics);
  }
  applySettings(line, run, diagnostics);
  CostLimits limits = costLimits(line, diagnostics);
  run.keepAnalyses = limits.any() || line.has("--run");
  if (diagnostics.hasErrors()) {
    printDiagnostics(diagnostics.list(), format, given, {}, false);
    return exitFailed;
  }
  std::vector<Diagnostic> found =
      line.has("--fix") ? checkAndFix(run, diagnostics) : run.check(diagnostics);
  bool able = !limits.any() || checkCostLimits(run, limits, found, diagnostics);
  // A program is not run while its sources have errors.
  if (line.has("--run") && able && !hasErrors(found) && !diagnostics.hasErrors())
    able = checkPrograms(run, programRuns(line, run), found, diagnostics);
  addProjectDiagnostics(diagnostics.list(), found);
  bool written = printDiagnostics(found, format, given, run.files(), able);
  if (line.has("-v"))
    std::fprintf(stderr, "cufls: %zu files analysed, %zu as before\n", run.analysed, run.cached);
  if (line.has("--watch"))
    return run.watch();
  if (!written || !able)
    return exitFailed;
  return hasErrors(found) ? exitErrors : exitClean;
}

} // namespace

int checkCommand(const Arguments &given) {
  Diagnostics diagnostics;
  Arguments arguments = given;
  DiagnosticFormat format = takeFormat(arguments, diagnostics);
  CommandLine line = parseCommandLine(arguments, options(), diagnostics);
  if (line.has("--help"))
    return printHelp("check [PATH...] [options] [-- FLAGS of cufc, or with --run ARGUMENTS]",
                     "Finds mistakes in files, in all sources of a folder, or in the current "
                     "folder. Modules of\nother files are found through cufls.json, "
                     "compile_commands.json or the files around.\nExit status: 0 clean, 1 errors, "
                     "2 could not run.",
                     options());
  return runCheck(given, format, line, diagnostics);
}

} // namespace cufc
