// `cufls build`: all targets of a project, or some.
#include "commands/build_session.h"
#include "commands/caches.h"
#include "commands/command_line.h"
#include "commands/output.h"

namespace cufc {
namespace {

const std::vector<CommandOption> &options() {
  static const std::vector<CommandOption> rows = {
      {"-j", "N", "compile N files at once; as many as there are cores by default"},
      {"--target", "NAME", "build this target and what it needs; may be given more than once"},
      {"--clean", "", "remove what builds made, and build nothing"},
      {"--format", "FORM", "diagnostics as text (default), json, sarif or github"},
      {"--diagnostics-to", "FILE", "diagnostics go to FILE too, each as a line of JSON"},
      {"-v", "", "say what is done and why"},
      {"--help", "", "print this text"},
  };
  return rows;
}

} // namespace

int buildCommand(const Arguments &given) {
  Diagnostics diagnostics;
  Arguments arguments = given;
  SessionOptions session;
  session.format = takeFormat(arguments, diagnostics);
  session.arguments = given;
  CommandLine line = parseCommandLine(arguments, options(), diagnostics);
  if (line.has("--help"))
    return printHelp("build [DIR] [options]",
                     "Compiles what changed in the project of DIR, or of the current folder, and "
                     "links its targets.\nThe project is described by cufls.json or "
                     "compile_commands.json; without them the sources\nof the folder are built, a "
                     "program for each main program.",
                     options());
  takeBuildOptions(line, session, diagnostics);
  if (line.has("--target"))
    session.targets = line.options["--target"];
  Diagnostics found;
  std::string folder = operandFolder(line, diagnostics);
  if (diagnostics.hasErrors())
    return refuse(session, diagnostics);
  Project project = loadProject(folder, found, scanOptions());
  if (!line.has("--clean"))
    return runSession(project, session, found).status;
  bool clean = cleanBuildFolder(project.buildDirectory, diagnostics);
  return clean ? exitClean : refuse(session, diagnostics);
}

} // namespace cufc
