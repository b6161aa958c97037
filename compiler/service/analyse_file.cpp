// The steps of an analysis.
#include "service/analyse_file.h"
#include "analysis/serialise.h"
#include "base/stage.h"
#include "codegen/targets.h"
#include "frontend/extract.h"
#include "llvm/Target/TargetMachine.h"

namespace cufc {

void analyseFile(const FrontendOptions &front, const CheckOptions &checks, ProgramStock *stock,
                 const std::function<void(const std::string &)> &give) {
  setStage("while parsing and checking");
  std::unique_ptr<llvm::TargetMachine> host = hostTarget(0);
  FrontendOptions settings = front;
  settings.analysis = true;
  Program program(settings, *host, stock);
  Diagnostics diagnostics;
  bool good = program.analyse(diagnostics);
  Analysis analysis;
  extractAnalysis(program, analysis);
  analysis.diagnostics = diagnostics.list();
  give(toBytes(analysis));
  if (!good || !front.cuda)
    return;
  setStage("while checking device code");
  runChecks(program, checks, diagnostics);
  analysis.diagnostics = diagnostics.list();
  give(toBytes(analysis));
}

} // namespace cufc
