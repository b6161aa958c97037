// `cufls mcp`: the server for assistants, by the Model Context Protocol on standard input and
// output.
#include "base/diag.h"
#include "commands/command_line.h"
#include "driver/installation.h"
#include "mcp/serve.h"
#include "project/project.h"
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace cufc {
namespace {

const std::vector<CommandOption> &options() {
  static const std::vector<CommandOption> rows = {
      {"--folder", "DIR", "the workspace; the current folder by default"},
      {"--trusted", "",
       "build and run its programs, and ask its makefiles, without asking the user"},
      {"--help", "", "print this text"},
  };
  return rows;
}

// This program under the name cufls, which decides what it is.
std::string executable() {
  std::error_code error;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return (self.parent_path() / "cufls").string();
}

} // namespace

int mcpCommand(const Arguments &given) {
  Diagnostics diagnostics;
  CommandLine line = parseCommandLine(given, options(), diagnostics);
  if (line.has("--help"))
    return printHelp("mcp [options]",
                     "Serves an assistant by the Model Context Protocol on standard input and "
                     "output: it can check,\nexplain, build, run, measure kernels and search the "
                     "reference.",
                     options());
  for (const std::string &operand : line.operands)
    diagnostics.report(Diag::ExtraOperand, {}, operand);
  std::string folder = line.has("--folder") ? line.value("--folder") : ".";
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    diagnostics.report(Diag::CannotRead, {}, folder,
                       std::strerror(error ? error.value() : ENOTDIR));
  Installation installation = findInstallation(diagnostics);
  if (diagnostics.hasErrors()) {
    diagnostics.flush();
    return exitFailed;
  }
  return mcp::serve(STDIN_FILENO, STDOUT_FILENO,
                    {executable(), CUFC_VERSION, installation.libraries + "/api.json",
                     absolutePath(folder), line.has("--trusted")});
}

} // namespace cufc
