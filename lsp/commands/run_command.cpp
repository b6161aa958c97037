// The table of commands.
#include "base/diag.h"
#include "commands/commands.h"
#include "driver/terminal.h"
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace cufc {
namespace {

struct Command {
  const char *name;
  int (*run)(const Arguments &);
  const char *synopsis;
  const char *help;
};

constexpr Command commands[] = {
    {"check", checkCommand, "check [--format=text|json|sarif|github] [--fix] [--watch] [PATH...]",
     "find mistakes in files and folders, without compiling"},
    {"explain", explainCommand, "explain [--format=text|json] [CODE|NAME|GROUP ...]",
     "what a diagnostic means, with examples; without an argument, all of them"},
    {"symbols", symbolsCommand, "symbols [--format=text|json] FILE...",
     "list what files declare, also if they have errors"},
    {"build", buildCommand, "build [DIR] [-j N] [--target=NAME] [--clean] [--format=FORM] [-v]",
     "compile what changed in a project and link its targets"},
    {"run", runProgramCommand, "run [FILE | TARGET] [--device=gpu|host] [-- ARGUMENTS]",
     "build a program and run it"},
    {"debug", debugCommand, "debug", "a debug adapter for editors, on standard input and output"},
    {"occupancy", occupancyCommand,
     "occupancy FILE... [--gpu=ccNN] [--block=N] [--format=text|json|svg]",
     "what kernels cost on a GPU, and how they fill it"},
    {"tune", tuneCommand, "tune FILE KERNEL [--blocks=N,N] [--apply] [-- ARGUMENTS]",
     "try other block sizes of a kernel on the device at hand"},
    {"refactor", refactorCommand,
     "refactor NAME [PATH...] [--at=LINE[:COLUMN][-LINE[:COLUMN]]] [--dry-run] [--list]",
     "change programs and keep what they do, at a place or wherever it is possible"},
    {"flags", flagsCommand,
     "flags [DIR] [--from=make|cmake|fpm|FILE] [--forget] [-- ARGUMENTS of make]",
     "say with which flags sources are read, and ask a build for them"},
    {"doctor", doctorCommand, "doctor [--format=text|json]",
     "say what is installed, what is missing and how to get it"},
    {"mcp", mcpCommand, "mcp [--folder=DIR] [--trusted]",
     "serve an assistant by the Model Context Protocol"},
    {"index", indexCommand, "index --scip=FILE [DIR]",
     "write what a project declares and uses, for code hosts"},
    {"schema", schemaCommand, "schema", "print the JSON schema of cufls.json"},
};

std::string helpText() {
  std::string text = "usage: cufls COMMAND ...\n"
                     "       cufls [--stdio]      the language server, for an editor\n\n";
  for (const Command &command : commands)
    text += fmt::format("  cufls {}\n      {}\n", command.synopsis, command.help);
  return text;
}

} // namespace

int runCommand(const Arguments &arguments) {
  std::string name = arguments.empty() ? "--stdio" : arguments.front();
  if (name == "--help" || name == "-h" || name == "help")
    return std::fputs(helpText().c_str(), stdout) < 0 ? exitFailed : exitClean;
  if (name == "--version")
    return std::puts("cufls " CUFC_VERSION " (LLVM " CUFC_LLVM ")") < 0 ? exitFailed : exitClean;
  if (name.starts_with("--"))
    return serveCommand(arguments);
  for (const Command &command : commands)
    if (name == command.name)
      return command.run({arguments.begin() + 1, arguments.end()});
  Diagnostics diagnostics;
  diagnostics.report(Diag::UnknownCommand, {}, name);
  std::fputs(render(diagnostics.list().front(), hasColours(STDERR_FILENO), "cufls").c_str(),
             stderr);
  return exitFailed;
}

} // namespace cufc
