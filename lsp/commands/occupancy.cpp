// `cufls occupancy`: what kernels cost on a GPU, and how they fill it.
#include "commands/occupancy.h"
#include "base/diag.h"
#include "commands/command_line.h"
#include "commands/output.h"
#include "driver/terminal.h"
#include "occupancy/table.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace cufc {
namespace {

const std::vector<CommandOption> &options() {
  static const std::vector<CommandOption> rows = {
      {"--gpu", "GPU", "ccNN, or a chip such as H200; by default that of the project or machine"},
      {"--block", "N", "threads of a block; by default those of the first launch, or 256"},
      {"--format", "FORM", "text (default), json or svg"},
      {"-o", "FILE", "write to a file"},
      {"--no-cache", "", "compile everything, and remember nothing"},
      {"-v", "", "say how many kernels were compiled"},
      {"--help", "", "print this text"},
  };
  return rows;
}

std::string tableOf(const MeasuredRun &run) {
  return occupancyTable(run.kernels, run.gpu, run.chip, run.note, run.missing);
}

using Form = std::string (*)(const MeasuredRun &);

Form formOf(const CommandLine &line, Diagnostics &diagnostics) {
  static constexpr std::pair<std::string_view, Form> forms[] = {
      {"text", tableOf}, {"json", occupancyJson}, {"svg", occupancySvg}};
  if (!line.has("--format"))
    return tableOf;
  for (const auto &[name, form] : forms)
    if (line.value("--format") == name)
      return form;
  diagnostics.report(Diag::BadOptionValue, {}, line.value("--format"), "--format",
                     "text, json or svg");
  return tableOf;
}

bool write(const std::string &text, const std::string &path, Diagnostics &diagnostics) {
  if (path.empty())
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
           std::fflush(stdout) == 0;
  if (writeFile(path, text))
    return true;
  diagnostics.report(Diag::CannotWrite, {}, path, std::strerror(errno));
  return false;
}

// Diagnostics go to standard error, so that the output stays what was asked for.
void complain(const std::vector<Diagnostic> &list) {
  for (const Diagnostic &diagnostic : list)
    std::fputs(render(diagnostic, hasColours(STDERR_FILENO), "cufls").c_str(), stderr);
}

int show(const CommandLine &line, Diagnostics &diagnostics) {
  Form form = formOf(line, diagnostics);
  MeasureChoice choice;
  choice.gpu = line.value("--gpu");
  choice.useCache = !line.has("--no-cache");
  if (line.has("--block"))
    choice.blockSize = positiveNumber(line.value("--block"), "--block", diagnostics);
  if (choice.blockSize > GpuLimits::blockThreads)
    diagnostics.report(Diag::BadOptionValue, {}, line.value("--block"), "--block",
                       "1 to 1024 threads");
  CheckRun run(line.rest);
  run.keepAnalyses = true;
  run.useCache = choice.useCache;
  if (line.operands.empty())
    diagnostics.report(Diag::NoInput, {});
  for (const std::string &path : line.operands)
    run.add(path, diagnostics);
  if (diagnostics.hasErrors())
    return exitFailed;
  std::vector<Diagnostic> found = run.check(diagnostics);
  std::erase_if(found, [](const Diagnostic &d) { return d.severity != Severity::Error; });
  complain(found);
  std::optional<MeasuredRun> measured = measure(run, choice, diagnostics);
  if (!measured)
    return exitFailed;
  Diagnostics costs;
  checkCosts(measured->kernels, measured->gpu, measured->chip, costs);
  if (found.empty())
    complain(measured->problems);
  complain(costs.list());
  if (line.has("-v"))
    std::fprintf(stderr, "cufls: %d kernels compiled, %d as before\n", measured->compiled,
                 measured->remembered);
  if (!write(form(*measured), line.value("-o"), diagnostics))
    return exitFailed;
  if (!measured->missing.empty())
    return exitFailed;
  bool complete = found.empty() && measured->problems.empty();
  return complete ? exitClean : exitErrors;
}

} // namespace

int occupancyCommand(const Arguments &given) {
  Diagnostics diagnostics;
  CommandLine line = parseCommandLine(given, options(), diagnostics);
  if (line.has("--help"))
    return printHelp(
        "occupancy FILE... [options] [-- FLAGS of cufc]",
        "Compiles the kernels of files or folders for one GPU and says what they cost: "
        "registers, memory,\noccupancy and what limits it, how launches fill the chip. "
        "Needs ptxas of the CUDA Toolkit, but\nno GPU.\nExit status: 0 done, 1 "
        "something could not be measured, 2 could not run.",
        options());
  int status = show(line, diagnostics);
  complain(diagnostics.list());
  return status;
}

} // namespace cufc
