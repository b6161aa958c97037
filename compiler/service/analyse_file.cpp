// The steps of an analysis.
#include "service/analyse_file.h"
#include "analysis/serialise.h"
#include "base/files.h"
#include "base/stage.h"
#include "checks/mpi_checks.h"
#include "codegen/targets.h"
#include "frontend/extract/extract.h"
#include "source/form_signs.h"
#include "source/included_text.h"
#include "llvm/Target/TargetMachine.h"

namespace cufc {
namespace {

// What is wrong with a text that others include is said where they are analysed.
bool isPartOfOthers(FrontendOptions &front) {
  std::string text;
  if (front.text)
    text = *front.text;
  else if (!readFile(front.path, text))
    return false;
  if (!isIncludedText(front.path, text))
    return false;
  front.fixedForm |= formSigns(text).isFixed();
  return true;
}

} // namespace

void analyseFile(const FrontendOptions &front, const CheckOptions &checks, ProgramStock *stock,
                 const std::function<void(const std::string &, bool)> &give) {
  setStage("while parsing and checking");
  std::unique_ptr<llvm::TargetMachine> host = hostTarget(0);
  FrontendOptions settings = front;
  settings.analysis = true;
  bool part = isPartOfOthers(settings);
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
  if (part)
    analysis.diagnostics.clear();
  bool last = part || !front.cuda || !program.hasSymbols();
  give(toBytes(analysis), last);
  if (last)
    return;
  setStage("while checking device code");
  runChecks(program, checks, diagnostics);
  analysis.diagnostics = diagnostics.list();
  give(toBytes(analysis), true);
}

} // namespace cufc
