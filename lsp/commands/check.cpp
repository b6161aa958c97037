// `cufls check`: what is wrong in files and folders, without compiling.
#include "base/diag.h"
#include "commands/commands.h"
#include "driver/frontend_options.h"
#include "service/analysis_queue.h"
#include <filesystem>
#include <unistd.h>

namespace cufc {

int checkCommand(const Arguments &arguments) {
  Diagnostics diagnostics;
  Installation installation = findInstallation(diagnostics);
  TemporaryFolder scratch;
  Options options;
  options.moduleDirectory = scratch.root();
  FrontendOptions defaults =
      frontendOptions(options, installation, "", {FileKind::Fortran, false, true, false}, "");
  std::unique_ptr<Worker> worker = Worker::start(defaults);
  AnalysisQueue queue(*worker, static_cast<size_t>(sysconf(_SC_NPROCESSORS_ONLN)));
  for (const std::string &path : arguments) {
    std::optional<SourceForm> form = sourceForm(path);
    if (!form || form->kind != FileKind::Fortran) {
      diagnostics.report(Diag::UnknownSuffix, {}, path);
      continue;
    }
    CheckOptions checks = checkOptions(options, std::nullopt);
    checks.hazards = true;
    queue.add({frontendOptions(options, installation, path, *form, ""), checks},
              [&](Analysis analysis) {
                for (Diagnostic &diagnostic : analysis.diagnostics)
                  diagnostics.add(std::move(diagnostic));
              });
  }
  queue.run();
  bool failed = diagnostics.hasErrors();
  diagnostics.flush();
  return failed ? exitErrors : exitClean;
}

} // namespace cufc
