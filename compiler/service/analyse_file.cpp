// The steps of an analysis.
#include "service/analyse_file.h"
#include "codegen/targets.h"
#include "llvm/Target/TargetMachine.h"

namespace cufc {

Analysis analyseFile(const FrontendOptions &front, const CheckOptions &checks) {
  std::unique_ptr<llvm::TargetMachine> host = hostTarget(0);
  Program program(front, *host);
  Diagnostics diagnostics;
  program.analyse(diagnostics);
  if (front.cuda && program.hasSymbols())
    runChecks(program, checks, diagnostics);
  Analysis analysis;
  analysis.files = {front.path};
  analysis.diagnostics = diagnostics.list();
  return analysis;
}

} // namespace cufc
