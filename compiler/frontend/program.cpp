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
#include "flang/Frontend/TargetOptions.h"
#include "flang/Tools/TargetSetup.h"
#include "frontend/cuf_kernel_branches.h"
#include "frontend/false_errors.h"
#include "frontend/flang_program.h"
#include "frontend/initial_values.h"
#include "frontend/kernel_prefixes.h"
#include "frontend/launch_operands.h"
#include "frontend/messages.h"
#include "frontend/pointer_calls.h"
#include "frontend/section_bounds.h"
#include "source/text_checks.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <tuple>

namespace cufc {
namespace {

using Fortran::common::LanguageFeature;

void setKinds(const FrontendOptions &settings, Fortran::common::IntrinsicTypeDefaultKinds &kinds) {
  if (settings.real8)
    kinds.set_defaultRealKind(8).set_doublePrecisionKind(8);
}

void setParserOptions(const FrontendOptions &settings, Fortran::parser::Options &options) {
  options.isFixedForm = settings.fixedForm;
  options.fixedFormColumns = settings.extendedLines ? 132 : 72;
  options.features.Enable(LanguageFeature::CUDA, settings.cuda);
  options.features.Enable(LanguageFeature::CudaManaged, settings.managed);
  options.features.EnableWarning(Fortran::common::UsageWarning::CUDAUsage);
  options.features.Enable(LanguageFeature::BackslashEscapes, settings.backslashEscapes);
  if (settings.warnings)
    options.features.WarnOnAllUsage();
  options.searchDirectories.push_back(directoryOf(settings.path));
  for (const std::string &folder : settings.includes)
    options.searchDirectories.push_back(folder);
  options.intrinsicModuleDirectories = settings.intrinsicModules;
  if (!settings.preprocess)
    return;
  for (const char *name : {"__cufc__", "__x86_64__", "__linux__", "__unix__"})
    options.predefinitions.emplace_back(name, "1");
  if (settings.cuda)
    options.predefinitions.emplace_back("_CUDA", "1");
  for (const auto &[macro, define] : settings.macros) {
    size_t equals = macro.find('=');
    std::string value = equals == std::string::npos ? "1" : macro.substr(equals + 1);
    options.predefinitions.emplace_back(macro.substr(0, equals),
                                        define ? std::optional<std::string>(value) : std::nullopt);
  }
}

std::unique_ptr<Fortran::semantics::SemanticsContext> makeContext(const FrontendOptions &settings,
                                                                  const llvm::TargetMachine &target,
                                                                  FlangProgram &program) {
  auto context = std::make_unique<Fortran::semantics::SemanticsContext>(
      program.kinds, program.options.features, program.languageOptions, program.cooked);
  std::vector<std::string> search{settings.moduleDirectory};
  search.insert(search.end(), program.options.searchDirectories.begin(),
                program.options.searchDirectories.end());
  context->set_moduleDirectory(settings.moduleDirectory)
      .set_searchDirectories(search)
      .set_intrinsicModuleDirectories(settings.intrinsicModules);
  Fortran::tools::setUpTargetCharacteristics(context->targetCharacteristics(), target,
                                             Fortran::frontend::TargetOptions{}, "cufc", "");
  return context;
}

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

Program::Program(FrontendOptions options, const llvm::TargetMachine &target)
    : settings(std::move(options)), target(target), prefixes(std::make_unique<KernelPrefixes>()) {
  restart();
}

void Program::restart() {
  impl = std::make_unique<FlangProgram>();
  setKinds(settings, impl->kinds);
  setParserOptions(settings, impl->options);
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

bool Program::hasSymbols() const { return impl->context != nullptr; }

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
  program.context = makeContext(settings, target, program);
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
  Program withoutStatements(std::move(interfaces), target);
  withoutStatements.replacement = withoutBodies(text, settings.path, *impl);
  withoutStatements.prefixes->takeValues(*prefixes);
  return withoutStatements.check(diagnostics);
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
