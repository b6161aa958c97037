// The steps of an analysis.
#include "service/analyse_file.h"
#include "analysis/serialise.h"
#include "base/diag.h"
#include "base/files.h"
#include "base/ordinary_files.h"
#include "base/stage.h"
#include "checks/mpi_checks.h"
#include "codegen/targets.h"
#include "frontend/extract/extract.h"
#include "source/form_signs.h"
#include "source/included_text.h"
#include "llvm/Target/TargetMachine.h"

namespace cufc {
namespace {

// False if it cannot be read, which is all that there is to say then.
bool readText(const FrontendOptions &front, std::string &text, Diagnostics &diagnostics) {
  if (front.text)
    text = *front.text;
  else if (!readFile(front.path, text))
    diagnostics.report(Diag::CannotRead, {}, front.path, readFailure());
  return !diagnostics.hasErrors();
}

// What is wrong with a text that others include is said where they are analysed.
bool isPartOfOthers(FrontendOptions &front, const std::string &text) {
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
  Diagnostics diagnostics;
  std::string text;
  if (!readText(front, text, diagnostics)) {
    Analysis analysis;
    analysis.files = {front.path};
    analysis.diagnostics = diagnostics.list();
    return give(toBytes(analysis), true);
  }
  bool part = isPartOfOthers(settings, text);
  Program program(settings, *host, stock);
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
