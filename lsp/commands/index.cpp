// `cufls index`: what a project declares and where it is used, in the form of SCIP, for code hosts.
#include "base/diag.h"
#include "commands/caches.h"
#include "commands/check_run.h"
#include "commands/command_line.h"
#include "host/project_definitions.h"
#include "scip/scip.h"
#include "server/api_json.h"
#include "server/protocol.h"
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace cufc {
namespace {

const std::vector<CommandOption> &options() {
  static const std::vector<CommandOption> rows = {
      {"--scip", "FILE", "write an index in the form of SCIP, such as index.scip"},
      {"--package", "NAME", "the project's name in symbols; that of its folder by default"},
      {"--no-cache", "", "analyse everything, and remember nothing"},
      {"-v", "", "say how much was found"},
      {"--help", "", "print this text"},
  };
  return rows;
}

int writeIndex(const CommandLine &line, const Arguments &given, Diagnostics &diagnostics) {
  std::string folder = absolutePath(line.operands.empty() ? "." : line.operands.front());
  CheckRun run(line.rest);
  run.keepAnalyses = true;
  run.useCache = !line.has("--no-cache");
  run.add(folder, diagnostics);
  if (diagnostics.hasErrors())
    return exitFailed;
  Diagnostics ofSources; // an index is of use even where some sources have errors
  run.check(ofSources);
  std::unique_ptr<Definitions> definitions = definitionsOf(folder, scanOptions(), ofSources);
  Workspace workspace;
  workspace.setDefinitions(definitions.get());
  for (const CheckRun::Kept &kept : run.kept())
    workspace.setAnalysis(kept.path, std::make_shared<Analysis>(kept.analysis));
  Installation installation = findInstallation(diagnostics);
  ScipOptions scip{folder, uriOfPath(folder), line.value("--package"), CUFC_VERSION, given};
  if (scip.package.empty())
    scip.package = folder.substr(folder.rfind('/') + 1);
  ScipIndex index = scipIndex(workspace, readApiTable(installation.libraries + "/api.json"), scip);
  if (!writeFile(line.value("--scip"), index.bytes)) {
    diagnostics.report(Diag::CannotWrite, {}, line.value("--scip"), std::strerror(errno));
    return exitFailed;
  }
  if (line.has("-v"))
    std::fprintf(stderr, "cufls: %zu documents, %zu symbols and %zu of others, %zu occurrences\n",
                 index.documents, index.symbols, index.externalSymbols, index.occurrences);
  return exitClean;
}

} // namespace

int indexCommand(const Arguments &given) {
  Diagnostics diagnostics;
  CommandLine line = parseCommandLine(given, options(), diagnostics);
  if (line.has("--help"))
    return printHelp("index --scip=FILE [DIR] [-- FLAGS of cufc]",
                     "Analyses all sources of a project, or of the current folder, and writes what "
                     "they declare and\nwhere it is used.",
                     options());
  for (size_t i = 1; i < line.operands.size(); ++i)
    diagnostics.report(Diag::ExtraOperand, {}, line.operands[i]);
  if (!line.has("--scip"))
    diagnostics.report(Diag::OptionNeedsValue, {}, "--scip", "the file to write");
  int status = diagnostics.hasErrors() ? exitFailed : writeIndex(line, given, diagnostics);
  diagnostics.flush();
  return status;
}

} // namespace cufc
