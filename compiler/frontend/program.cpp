// Parsing and semantic analysis with flang as a library.
//
// Arguments of array intrinsics that are on the device are put in parentheses and the source is
// analysed again: flang then lowers them as expressions, which lower/device_intrinsics.cpp takes
// from there. Calls of c_f_pointer with an allocatable become calls of a routine of cudafor.
//
// A source that needs a dialect rewrite is written to a scratch file that begins with a #line
// directive, so that flang's own positions name the original.
#include "frontend/program.h"
#include "base/diag.h"
#include "base/files.h"
#include "frontend/cuf_kernel_branches.h"
#include "frontend/false_errors.h"
#include "frontend/flang_program.h"
#include "frontend/flang_setup.h"
#include "frontend/initial_values.h"
#include "frontend/kernel_prefixes.h"
#include "frontend/launch_operands.h"
#include "frontend/messages.h"
#include "frontend/pointer_calls.h"
#include "frontend/program_stock.h"
#include "frontend/section_bounds.h"
#include "source/text_checks.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <tuple>

namespace cufc {
namespace {

constexpr int longestLine = 10000;

// Drops what lies beyond the columns that fixed form reads.
void cutLines(std::string &text, size_t columns) {
  std::string result;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    result.append(text, begin, std::min(end - begin, columns)).append("\n");
    begin = end + 1;
  }
  text = std::move(result);
}

} // namespace

Program::Program(FrontendOptions options, const llvm::TargetMachine &target, ProgramStock *stock)
    : settings(std::move(options)), target(target), stock(stock),
      prefixes(std::make_unique<KernelPrefixes>()) {
  restart();
}

void Program::restart() {
  impl = stock ? stock->take(settings) : nullptr;
  if (!impl)
    impl = newFlangProgram(settings);
}

Program::~Program() = default;

bool Program::prescan(Diagnostics &diagnostics) {
  std::string text = replacement;
  if (text.empty() && !readFile(settings.path, text)) {
    diagnostics.report(Diag::CannotRead, {}, settings.path, std::string(std::strerror(errno)));
    return false;
  }
  impl->source = text;
  if (!checkText(settings.path, text, settings.fixedForm, impl->options.fixedFormColumns,
                 diagnostics))
    return false;
  std::string path = settings.path;
  if (settings.fixedForm && !edits.empty()) { // which make lines longer
    cutLines(text, static_cast<size_t>(impl->options.fixedFormColumns));
    impl->options.fixedFormColumns = longestLine;
  }
  Rewrite rewrite = rewriteDialect(text, settings.fixedForm, edits);
  if (settings.cuda && (rewrite.changed || !replacement.empty())) {
    impl->rewrite = std::move(rewrite);
    path = settings.scratchFile;
    if (!writeFile(path, "#line 1 \"" + settings.path + "\"\n" + impl->rewrite.text)) {
      diagnostics.report(Diag::CannotWrite, {}, path, std::string(std::strerror(errno)));
      return false;
    }
  }
  impl->parsing = std::make_unique<Fortran::parser::Parsing>(impl->cooked);
  impl->parsing->Prescan(path, impl->options);
  return true;
}

bool Program::analyse(Diagnostics &diagnostics) {
  for (int attempt = 0;; ++attempt) {
    Diagnostics found;
    bool good = check(found);
    std::vector<Edit> wanted;
    if (settings.cuda && impl->context && attempt == 0)
      wanted = wantedEdits(!good, diagnostics);
    if (wanted.empty() && good && prefixes->evaluate(*impl, found)) {
      restart();
      continue;
    }
    good &= !found.hasErrors();
    if (wanted.empty()) {
      for (const Diagnostic &diagnostic : found.list())
        diagnostics.add(diagnostic);
      return good;
    }
    edits = std::move(wanted);
    restart();
  }
}

std::vector<Edit> Program::wantedEdits(bool hasErrors, Diagnostics &diagnostics) {
  std::vector<Edit> wanted = editsForLaunchOperands(*impl, settings.path);
  std::vector<Edit> values = assignInitialValues(*impl, settings.path);
  wanted.insert(wanted.end(), values.begin(), values.end());
  if (hasErrors)
    for (const std::vector<Edit> &more :
         {parenthesesForDeviceOperands(impl->context->messages(), *impl, settings.path),
          namesForPointerCalls(*impl, settings.path), extentsOfSharedArrays(*impl, settings.path),
          testsOfIntegers(impl->context->messages(), *impl, settings.path, diagnostics)})
      wanted.insert(wanted.end(), more.begin(), more.end());
  std::sort(wanted.begin(), wanted.end(), [](const Edit &a, const Edit &b) {
    return std::tie(a.line, a.column, a.text) < std::tie(b.line, b.column, b.text);
  });
  return wanted;
}

bool Program::check(Diagnostics &diagnostics) {
  if (!prescan(diagnostics))
    return false;
  FlangProgram &program = *impl;
  program.parsing->Parse(llvm::nulls());
  Fortran::parser::Messages &parserMessages = program.parsing->messages();
  if (parserMessages.AnyFatalError() || !program.parsing->parseTree() ||
      !program.parsing->consumedWholeFile()) {
    collectSyntaxErrors(parserMessages, program, settings.warnings, diagnostics);
    if (!diagnostics.hasErrors())
      diagnostics.report(Diag::ParserGaveUp, SourceRange{settings.path, 1, 1, 1, 2});
    return false;
  }
  if (!program.context)
    makeContext(settings, target, program);
  program.context->messages().Annex(std::move(parserMessages));
  if (settings.cuda && !prefixes->prepare(program, diagnostics)) {
    program.context.reset(); // there are no types and symbols to look at
    return false;
  }
  Fortran::semantics::Semantics semantics(*program.context, *program.parsing->parseTree());
  semantics.Perform();
  bool modulesMissing = dropFalseErrors(program);
  if (settings.cuda) {
    modulesMissing |= checkCufKernelBranches(program);
    checkDeviceComponents(program);
  }
  collectMessages(program.context->messages(), program, settings.warnings, diagnostics);
  if (semantics.AnyFatalError() || diagnostics.hasErrors())
    return false;
  if (modulesMissing && replacement.empty() && !writeModules(diagnostics))
    return false;
  if (settings.cuda)
    completeSections(program);
  program.typeTables = Fortran::semantics::BuildRuntimeDerivedTypeTables(*program.context);
  return true;
}

// flang has written no module files because of errors that were none. Interfaces do not depend on
// the bodies of procedures, so it writes them for a source without those.
bool Program::writeModules(Diagnostics &diagnostics) {
  std::string text = impl->source;
  FrontendOptions interfaces = settings;
  interfaces.warnings = false;
  Program withoutStatements(std::move(interfaces), target, stock);
  withoutStatements.replacement = withoutBodies(text, settings.path, *impl);
  withoutStatements.prefixes->takeValues(*prefixes);
  return withoutStatements.check(diagnostics);
}

std::vector<std::string> Program::filesRead() const {
  std::vector<std::string> files{settings.path};
  const Fortran::parser::AllSources &sources = impl->cooked.allSources();
  auto isOwn = [&](const std::string &path) {
    return std::any_of(settings.intrinsicModules.begin(), settings.intrinsicModules.end(),
                       [&](const std::string &folder) {
                         return path.compare(0, folder.size() + 1, folder + "/") == 0;
                       });
  };
  for (size_t at = 1; at <= sources.size();) {
    size_t offset = 0;
    Fortran::parser::Provenance place{at};
    const Fortran::parser::SourceFile *file = sources.GetSourceFile(place, &offset);
    // At the beginning of a file its text stands there; other texts are expansions of macros.
    bool begins = file && file->bytes() > 0 && &sources[place] == file->content().data();
    at += begins ? file->bytes() : 1;
    if (begins && file->path() != settings.scratchFile && !isOwn(file->path()) &&
        std::find(files.begin(), files.end(), file->path()) == files.end())
      files.push_back(file->path());
  }
  return files;
}

bool Program::preprocess(std::string &text, Diagnostics &diagnostics) {
  impl->options.prescanAndReformat = true;
  if (!prescan(diagnostics))
    return false;
  collectMessages(impl->parsing->messages(), *impl, settings.warnings, diagnostics);
  llvm::raw_string_ostream stream(text);
  impl->parsing->EmitPreprocessedSource(stream);
  return !diagnostics.hasErrors();
}

} // namespace cufc
