// `cufls flags`: where the flags of a folder's sources come from, and, with --from, the question to
// the build. Nothing of the folder is run without that option.
#include "base/diag.h"
#include "commands/caches.h"
#include "commands/command_line.h"
#include "commands/output.h"
#include "driver/terminal.h"
#include "project/ask_build.h"
#include "project/kept_flags.h"
#include "project/project.h"
#include <cstdio>
#include <filesystem>
#include <map>
#include <unistd.h>
#include <utility>

namespace cufc {
namespace {

const std::vector<CommandOption> &options() {
  static const std::vector<CommandOption> rows = {
      {"--from", "WHAT", "ask make, cmake, fpm or compile_commands, or a file of one of them"},
      {"--again", "", "ask also if nothing has changed since the last time"},
      {"--forget", "", "forget what builds have answered"},
      {"--diagnostics-to", "FILE", "diagnostics go to FILE too, each as a line of JSON"},
      {"-v", "", "name the sources, and what was left out"},
      {"--help", "", "print this text"},
  };
  return rows;
}

const char *nameOf(Project::Origin origin) {
  switch (origin) {
  case Project::Origin::ProjectFile:
    return "cufls.json";
  case Project::Origin::CompileCommands:
    return "compile_commands.json";
  case Project::Origin::Make:
    return "make";
  case Project::Origin::CMake:
    return "CMake";
  case Project::Origin::Fpm:
    return "fpm.toml";
  case Project::Origin::Folder:
    break;
  }
  return "nothing but the files";
}

std::string listOf(const std::vector<std::string> &texts) {
  std::string result;
  for (const std::string &text : texts)
    result += (result.empty() ? "" : " ") + text;
  return result;
}

void print(const Project &project, bool verbose) {
  std::map<std::string, std::vector<std::string>> byFlags;
  for (const ProjectSource &source : project.sources)
    byFlags[listOf(source.arguments)].push_back(source.path);
  std::printf("%s: %zu sources, by %s%s%s%s\n", project.root.c_str(), project.sources.size(),
              nameOf(project.origin), project.file.empty() ? "" : " (", project.file.c_str(),
              project.file.empty() ? "" : ")");
  for (const auto &[flags, sources] : byFlags) {
    std::printf("%6zu  %s\n", sources.size(), flags.empty() ? "no flags" : flags.c_str());
    for (const std::string &source : sources)
      if (verbose)
        std::printf("          %s\n", source.c_str());
  }
  if (verbose)
    for (const std::string &note : project.notes)
      std::printf("  note: %s\n", note.c_str());
  if (!project.outdated.empty())
    std::printf("  %s has changed since make was asked\n", project.outdated.c_str());
  if (std::vector<std::string> builds = buildsOf(project.root);
      project.origin == Project::Origin::Folder && !builds.empty())
    std::printf("  --from=%s asks the build\n", builds.front().c_str());
}

} // namespace

int flagsCommand(const Arguments &given) {
  Diagnostics diagnostics;
  CommandLine line = parseCommandLine(given, options(), diagnostics);
  if (line.has("--help"))
    return printHelp("flags [DIR] [options] [-- ARGUMENTS of make]",
                     "Says with which flags the sources of a folder are read, and where these come "
                     "from. With --from\na build is asked how it compiles: make by a dry run in a "
                     "copy of the folder, CMake through its\nbuild folder. The answer is kept for "
                     "all commands and for the editor.",
                     options());
  const Arguments forMake = std::exchange(line.rest, {});
  std::string folder = operandFolder(line, diagnostics);
  if (!diagnostics.hasErrors()) {
    folder = absolutePath(folder);
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error))
      folder = std::filesystem::path(folder).parent_path().string();
    const ScanOptions scan = scanOptions();
    if (line.has("--forget"))
      if (auto kept = findKeptFlags(scan.flags, folder))
        forgetFlags(scan.flags, kept->root);
    if (line.has("--from"))
      askBuild({line.value("--from"), folder, forMake, scan.flags}, line.has("--again"),
               diagnostics);
    if (!diagnostics.hasErrors())
      print(loadProject(folder, diagnostics, scan), line.has("-v"));
  }
  for (const Diagnostic &diagnostic : diagnostics.list()) {
    std::fputs(render(diagnostic, hasColours(STDERR_FILENO), "cufls").c_str(), stderr);
    appendDiagnostic(line.value("--diagnostics-to"), diagnostic);
  }
  return diagnostics.hasErrors() ? exitFailed : exitClean;
}

} // namespace cufc
