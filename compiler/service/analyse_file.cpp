// The steps of an analysis.
#include "service/analyse_file.h"
#include "analysis/serialise.h"
#include "base/stage.h"
#include "checks/mpi_checks.h"
#include "codegen/targets.h"
#include "frontend/extract/extract.h"
#include "llvm/Target/TargetMachine.h"

namespace cufc {

void analyseFile(const FrontendOptions &front, const CheckOptions &checks, ProgramStock *stock,
                 const std::function<void(const std::string &, bool)> &give) {
  setStage("while parsing and checking");
  std::unique_ptr<llvm::TargetMachine> host = hostTarget(0);
  FrontendOptions settings = front;
  settings.analysis = true;
  Program program(settings, *host, stock);
  Diagnostics diagnostics;
  program.analyse(diagnostics);
  if (!front.cuda && program.hasSymbols())
    runMpiChecks(program, diagnostics);
  Analysis analysis;
  extractAnalysis(program, analysis);
  analysis.diagnostics = diagnostics.list();
  for (const Diagnostic &diagnostic : program.undecided())
    analysis.diagnostics.push_back(diagnostic);
  bool last = !front.cuda || !program.hasSymbols();
  give(toBytes(analysis), last);
  if (last)
    return;
  setStage("while checking device code");
  runChecks(program, checks, diagnostics);
  analysis.diagnostics = diagnostics.list();
  give(toBytes(analysis), true);
}

} // namespace cufc
