// The steps of an analysis.
#include "service/analyse_file.h"
#include "codegen/targets.h"
#include "frontend/extract.h"
#include "llvm/Target/TargetMachine.h"

namespace cufc {

Analysis analyseFile(const FrontendOptions &front, const CheckOptions &checks) {
  std::unique_ptr<llvm::TargetMachine> host = hostTarget(0);
  FrontendOptions settings = front;
  settings.analysis = true;
  Program program(settings, *host);
  Diagnostics diagnostics;
  if (program.analyse(diagnostics) && front.cuda)
    runChecks(program, checks, diagnostics);
  Analysis analysis;
  extractAnalysis(program, analysis);
  analysis.diagnostics = diagnostics.list();
  return analysis;
}

} // namespace cufc
