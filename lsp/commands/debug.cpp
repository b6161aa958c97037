// `cufls debug`: a debug adapter on standard input and output.
#include "base/diag.h"
#include "commands/build_session.h"
#include "commands/command_line.h"
#include "debug/session.h"
#include <csignal>
#include <filesystem>
#include <unistd.h>

namespace cufc {
namespace {

const std::vector<CommandOption> &options() {
  static const std::vector<CommandOption> rows = {
      {"--log-file", "FILE", "what the client, the debugger and cufls say to each other"},
      {"--help", "", "print this text"},
  };
  return rows;
}

// This program under the name with which it builds others.
std::string ownPath() {
  std::error_code error;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "cufls" : (self.parent_path() / "cufls").string();
}

} // namespace

int debugCommand(const Arguments &arguments) {
  Diagnostics diagnostics;
  CommandLine line = parseCommandLine(arguments, options(), diagnostics);
  if (line.has("--help"))
    return printHelp("debug [--log-file=FILE]",
                     "A debug adapter for editors: speaks the Debug Adapter Protocol on standard "
                     "input and output, and\nruns programs under gdb, or under cuda-gdb on a GPU.",
                     options());
  for (const std::string &operand : line.operands)
    diagnostics.report(Diag::ExtraOperand, {}, operand);
  if (diagnostics.hasErrors())
    return refuse({}, diagnostics);
  std::signal(SIGPIPE, SIG_IGN);
  debug::Session(STDIN_FILENO, STDOUT_FILENO, {ownPath(), line.value("--log-file")}).run();
  return exitClean;
}

} // namespace cufc
