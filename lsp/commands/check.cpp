// `cufls check`: what is wrong in files and folders, without compiling.
#include "base/diag.h"
#include "base/files.h"
#include "base/large_stack.h"
#include "commands/commands.h"
#include "commands/output.h"
#include "driver/frontend_options.h"
#include "service/analyse_file.h"

namespace cufc {

int checkCommand(const Arguments &given) {
  Diagnostics diagnostics;
  Arguments arguments = given;
  DiagnosticFormat format = takeFormat(arguments, diagnostics);
  Installation installation = findInstallation(diagnostics);
  TemporaryFolder scratch;
  Options options;
  options.moduleDirectory = scratch.root();
  for (const std::string &path : arguments) {
    std::optional<SourceForm> form = sourceForm(path);
    if (!form || form->kind != FileKind::Fortran) {
      diagnostics.report(Diag::UnknownSuffix, {}, path);
      continue;
    }
    onLargeStack([&] {
      CheckOptions checks = checkOptions(options, std::nullopt);
      checks.hazards = true;
      Analysis analysis =
          analyseFile(frontendOptions(options, installation, path, *form, scratch.root()), checks);
      for (Diagnostic &diagnostic : analysis.diagnostics)
        diagnostics.add(std::move(diagnostic));
      return 0;
    });
  }
  printDiagnostics(diagnostics.list(), format, given, arguments);
  return diagnostics.hasErrors() ? exitErrors : exitClean;
}

} // namespace cufc
