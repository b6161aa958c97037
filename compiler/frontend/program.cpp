// Parsing and semantic analysis with flang as a library.
//
// Where flang does not take what is correct, the text that it parses is edited (cooked_text.h) and
// analysed again: calls of c_f_pointer with an allocatable become calls of a routine of cudafor,
// for example.
//
// A text that is not the file's is written to a scratch file that begins with a #line directive, so
// that flang's own positions name the original.
#include "frontend/program.h"
#include "base/diag.h"
#include "base/files.h"
#include "base/workarounds.h"
#include "frontend/consequences.h"
#include "frontend/data_values.h"
#include "frontend/flang_program.h"
#include "frontend/flang_setup.h"
#include "frontend/lenient/cuf_kernel_places.h"
#include "frontend/lenient/dropped_statuses.h"
#include "frontend/lenient/integer_operands.h"
#include "frontend/lenient/lenient_expressions.h"
#include "frontend/lenient/lenient_extents.h"
#include "frontend/lenient/lenient_names.h"
#include "frontend/lenient/missing_parentheses.h"
#include "frontend/lenient/textures.h"
#include "frontend/messages.h"
#include "frontend/modules/exported_names.h"
#include "frontend/modules/foreign_uses.h"
#include "frontend/modules/module_files.h"
#include "frontend/modules/partial_interfaces.h"
#include "frontend/modules/without_bodies.h"
#include "frontend/own_scopes.h"
#include "frontend/program_stock.h"
#include "frontend/statement_visitor.h"
#include "frontend/workarounds/address_arguments.h"
#include "frontend/workarounds/cuf_kernel_branches.h"
#include "frontend/workarounds/device_names.h"
#include "frontend/workarounds/false_errors.h"
#include "frontend/workarounds/ieee_calls.h"
#include "frontend/workarounds/initial_values.h"
#include "frontend/workarounds/kernel_prefixes.h"
#include "frontend/workarounds/launch_operands.h"
#include "frontend/workarounds/openmp_hints.h"
#include "frontend/workarounds/pointer_calls.h"
#include "source/language_options.h"
#include "source/recovery.h"
#include "source/spelling.h"
#include <algorithm>
#include <filesystem>
#include <tuple>

namespace cufc {

Program::Program(FrontendOptions options, const llvm::TargetMachine &target, ProgramStock *stock)
    : settings(std::move(options)), target(target), stock(stock),
      prefixes(std::make_unique<KernelPrefixes>()) {
  leaveOutWorkarounds(languageIn(settings.macros).leftOut);
  restart();
}

void Program::restart() {
  std::string source = impl ? std::move(impl->source) : "";
  impl = stock ? stock->take(settings) : nullptr;
  if (!impl)
    impl = newFlangProgram(settings);
  impl->source = std::move(source);
}

Program::~Program() = default;

// A statement between the loops of a CUF kernel that cannot move there is an error, and no warning.
static void dropDoubles(std::vector<Diagnostic> &list) {
  auto isError = [&](const Diagnostic &warning) {
    return std::any_of(list.begin(), list.end(), [&](const Diagnostic &other) {
      return other.code == "CUF0290" && other.range.file == warning.range.file &&
             other.range.line == warning.range.line;
    });
  };
  std::vector<Diagnostic> kept;
  std::copy_if(list.begin(), list.end(), std::back_inserter(kept),
               [&](const Diagnostic &one) { return one.code != "CUF0287" || !isError(one); });
  list = std::move(kept);
}

bool Program::analyse(Diagnostics &diagnostics) {
  auto isNew = [&](const Diagnostic &one) { // a file may be included several times
    return std::none_of(
        diagnostics.list().begin(), diagnostics.list().end(), [&](const Diagnostic &other) {
          return std::tie(one.code, one.message, one.range.file, one.range.line,
                          one.range.column) == std::tie(other.code, other.message, other.range.file,
                                                        other.range.line, other.range.column);
        });
  };
  auto add = [&](const std::vector<Diagnostic> &list) {
    for (const Diagnostic &diagnostic : list)
      if ((settings.warnings || diagnostic.severity == Severity::Error) && isNew(diagnostic))
        diagnostics.add(diagnostic);
  };
  bool refused = false; // an edit that is needed
  constexpr int rounds = 10;
  for (int attempt = 0;; ++attempt) {
    Diagnostics found, ofEdits;
    const bool edited = !edits.empty();
    bool good = check(found);
    std::vector<Edit> wanted;
    // The edits are void if more text had to be left out.
    bool choose = attempt == 0 || (edited && edits.empty() && attempt < rounds);
    if (settings.cuda && impl->context && choose)
      wanted = wantedEdits(!good, ofEdits);
    refused |= ofEdits.hasErrors();
    if (wanted.empty() && good && prefixes->evaluate(*impl, found)) {
      restart();
      continue;
    }
    std::vector<Diagnostic> ours = ofEdits.list();
    restoreSpelling(ours, settings.path, impl->source);
    add(ours);
    good &= !found.hasErrors() && syntaxErrors.empty() && !refused;
    if (wanted.empty()) {
      std::vector<Diagnostic> all = syntaxErrors;
      std::vector<Diagnostic> list = found.list();
      applyFilters({{MessageFilter::IsErrorToo, dropDoubles}}, list, impl->dropped);
      for (Diagnostic &diagnostic : list)
        if (settings.warnings || diagnostic.severity == Severity::Error)
          all.push_back(std::move(diagnostic));
      restoreSpelling(all, settings.path, impl->source);
      for (Diagnostic &diagnostic : all)
        diagnostics.add(std::move(diagnostic));
      return good;
    }
    edits = std::move(wanted);
    restart();
  }
}

// Settings of a second program: flang has the file of the first one's source mapped into memory.
static FrontendOptions besides(FrontendOptions settings) {
  settings.scratchFile += "-interfaces";
  return settings;
}

bool Program::hasSymbols() const { return impl->context != nullptr; }

std::vector<Edit> Program::wantedEdits(bool hasErrors, Diagnostics &diagnostics) {
  EditList list(*impl, diagnostics);
  if (isMade(Workaround::LaunchOperands))
    editLaunchOperands(*impl, list);
  if (isMade(Workaround::InitialValues))
    assignInitialValues(*impl, hasErrors, list, diagnostics);
  if (isMade(Workaround::AddressArguments))
    passAddressesOfArguments(*impl, hasErrors, list);
  if (isMade(Workaround::SharedExtents)) // flang's error may be hidden by one that is false
    giveExtentsToSharedArrays(*impl, list);
  if (hasErrors) {
    if (isMade(Workaround::IeeeCalls))
      parenthesiseIeeeArguments(*impl, list);
    if (isMade(Workaround::PointerCalls))
      namePointerCalls(*impl, list);
    parenthesiseFunctions(*impl, list, diagnostics);
    dropStatuses(*impl, list, diagnostics);
    testIntegerConditions(impl->context->messages(), *impl, list, diagnostics);
    testIntegerOperands(*impl, list, diagnostics);
    mendOperands(*impl, list, diagnostics);
    renameHiddenNames(impl->context->messages(), *impl, list, diagnostics);
  }
  return list.take();
}

bool Program::check(Diagnostics &diagnostics) {
  if (!parse(diagnostics))
    return false;
  FlangProgram &program = *impl;
  if (!program.context)
    makeContext(settings, target, program);
  program.context->messages().Annex(std::move(program.parsing->messages()));
  const foreign::ForeignModules foreigners = provideForeignModules(program, settings, diagnostics);
  if (settings.cuda && isMade(Workaround::KernelPrefixes) &&
      !prefixes->prepare(program, diagnostics) && !settings.analysis) {
    program.context.reset(); // there are no types and symbols to look at
    return false;
  }
  std::optional<HiddenDeviceNames> hidden;
  if (settings.cuda) {
    moveDirectivesToLoops(program, diagnostics);
    readTexturesAsDeviceData(program, diagnostics);
    takeProceduresInGenericNames(program);
    if (isMade(Workaround::DeviceNames))
      hidden.emplace(program, *program.parsing->parseTree());
    replaceLocalExtents(*program.parsing->parseTree(), *program.context);
  }
  typeConstructorsOfLiterals(*program.parsing->parseTree(), *program.context,
                             viewOf(program.parsing->cooked().AsCharBlock()));
  if (openmpVersion(settings) && isMade(Workaround::MinusReductions))
    replaceMinusReductions(program);
  Fortran::semantics::Semantics semantics(*program.context, *program.parsing->parseTree());
  ModuleOutbox outbox(directoryOf(settings.scratchFile) + "/modules");
  program.context->set_moduleDirectory(outbox.path());
  perform(semantics);
  const bool hadErrors = semantics.AnyFatalError();
  if (hidden && !hidden->restore()) {
    restart();
    impl->everyDeviceName = true;
    return check(diagnostics);
  }
  auto exports = [&](std::string_view module, bool intrinsic) {
    return exportedNames(*program.context, module, intrinsic);
  };
  // Of the analyses of other texts than the user's only that of partial interfaces goes on so.
  const bool partial = !replacement.empty() && settings.analysis;
  outbox.publish(settings.moduleDirectory, exports, partial, diagnostics);
  if (settings.analysis && !resolved())
    return checkWithoutErrors(diagnostics);
  interfacesWritten = !semantics.AnyFatalError();
  bool modulesMissing = dropFalseErrors(program);
  if (settings.cuda && isMade(Workaround::CufKernelBranches))
    modulesMissing |= checkCufKernelBranches(program);
  collectSemanticErrors(diagnostics);
  checkForeignUses(program, foreigners, diagnostics);
  if (semantics.AnyFatalError() || diagnostics.hasErrors()) {
    if (settings.analysis)
      writeInterfaces();
    return false;
  }
  if (hadErrors)
    completeInitialValues(program);
  if (modulesMissing && replacement.empty() && !(interfacesWritten = writeModules(diagnostics)))
    return false;
  if (settings.analysis)
    return true;
  restoreScopes(program);
  if (openmpVersion(settings) && isMade(Workaround::OpenmpHints))
    dropOpenmpHints(program);
  program.typeTables = Fortran::semantics::BuildRuntimeDerivedTypeTables(*program.context);
  return true;
}

void Program::collectSemanticErrors(Diagnostics &diagnostics) {
  Diagnostics found;
  collectMessages(impl->context->messages(), *impl, settings.warnings, found);
  std::vector<Diagnostic> list = found.list();
  dropConsequencesOfRecovery(list);
  for (Diagnostic &diagnostic : list)
    diagnostics.add(std::move(diagnostic));
}

const DroppedMessages &Program::dropped() const { return impl->dropped; }

std::vector<Diagnostic> Program::undecided() const {
  std::vector<Diagnostic> list;
  for (const Replaceable &message : impl->replaceable)
    list.push_back(message.diagnostic);
  dropConsequencesOfRecovery(list);
  restoreSpelling(list, settings.path, impl->source);
  return list;
}

void Program::dropConsequencesOfRecovery(std::vector<Diagnostic> &list) const {
  if (!recovery)
    return;
  auto drop = [&](auto &all) { dropConsequences(*recovery, settings.path, impl->source, all); };
  applyFilters({{MessageFilter::LeftOut, drop}}, list, impl->dropped);
}

// Errors in labels keep flang from looking at names at all. The analysis goes on without the
// statements that have them.
bool Program::checkWithoutErrors(Diagnostics &diagnostics) {
  Diagnostics found;
  collectMessages(impl->context->messages(), *impl, settings.warnings, found);
  if (!recovery)
    syntaxErrors = found.list();
  std::vector<Diagnostic> errors;
  for (const Diagnostic &diagnostic : found.list())
    if (diagnostic.severity == Severity::Error)
      errors.push_back(diagnostic);
  leaveOut(errors);
  restart();
  return check(diagnostics);
}

// Whether names have been looked at, if there are any.
bool Program::resolved() {
  bool empty = true;
  for (const Fortran::parser::ProgramUnit &unit : impl->parsing->parseTree()->v)
    empty &=
        std::holds_alternative<Fortran::common::Indirection<Fortran::parser::CompilerDirective>>(
            unit.u);
  return empty || !ownScopes(impl->context->globalScope()).empty();
}

// With errors in bodies the interfaces of modules can still be sound; then users of the modules get
// module files.
void Program::writeInterfaces() {
  bool hasModules = false;
  for (const Fortran::parser::ProgramUnit &unit : impl->parsing->parseTree()->v)
    hasModules |=
        std::holds_alternative<Fortran::common::Indirection<Fortran::parser::Module>>(unit.u) ||
        std::holds_alternative<Fortran::common::Indirection<Fortran::parser::Submodule>>(unit.u);
  if (!hasModules || !replacement.empty())
    return;
  if (lacksModules(*impl) || usesPartialModules(*impl)) {
    interfacesWritten = writePartialInterfaces();
    return;
  }
  bool sound = !recovery || withoutBodies(recovery->text(), settings.path, *impl) ==
                                withoutBodies(impl->source, settings.path, *impl);
  Diagnostics ignored;
  interfacesWritten = (sound && writeModules(ignored)) || writePartialInterfaces();
}

// A module that is not there, and a declaration with an error, cost their own names alone: the
// interfaces are written without them, and say so.
bool Program::writePartialInterfaces() {
  constexpr int rounds = 10;
  FrontendOptions interfaces = besides(settings);
  interfaces.warnings = false;
  Program partial(std::move(interfaces), target, stock);
  std::string text = recovery ? recovery->text() : impl->source;
  partial.replacement = withoutBodies(text, settings.path, *impl);
  partial.prefixes->takeValues(*prefixes);
  for (int round = 0; round < rounds; ++round) {
    // What has lost its declaration gets no implicit type: it is left out, too.
    if ((recovery || partial.recovery) && !languageIn(partial.settings.macros).implicitNone) {
      LanguageOptions none;
      none.implicitNone = true;
      addLanguage(none, partial.settings.macros);
      partial.restart();
    }
    Diagnostics ignored;
    if (partial.check(ignored))
      return true;
    if (!partial.hasSymbols())
      return false;
    std::vector<Diagnostic> errors = errorsIn(partial.impl->context->messages(), *partial.impl);
    if (errors.empty())
      return false;
    partial.leaveOut(errors);
    partial.restart();
  }
  return false;
}

// flang has written no module files because of errors that were none. Interfaces do not depend on
// the bodies of procedures, so it writes them for a source without those.
bool Program::writeModules(Diagnostics &diagnostics) {
  std::string text = recovery ? recovery->text() : impl->source;
  FrontendOptions interfaces = besides(settings);
  interfaces.warnings = false;
  interfaces.analysis = false;
  Program withoutStatements(std::move(interfaces), target, stock);
  withoutStatements.replacement = withoutBodies(text, settings.path, *impl);
  withoutStatements.prefixes->takeValues(*prefixes);
  Diagnostics found, ignored;
  bool good = withoutStatements.check(found);
  if (!good && settings.cuda && withoutStatements.hasSymbols()) {
    withoutStatements.edits = withoutStatements.wantedEdits(true, ignored);
    withoutStatements.restart();
    found = Diagnostics();
    good = withoutStatements.check(found);
  }
  for (const Diagnostic &diagnostic : found.list())
    diagnostics.add(diagnostic);
  return good;
}

std::vector<std::string> Program::filesRead() const {
  std::vector<std::string> files{settings.path};
  const Fortran::parser::AllSources &sources = impl->cooked.allSources();
  auto isOwn = [&](const std::string &path) {
    return std::any_of(settings.intrinsicModules.begin(), settings.intrinsicModules.end(),
                       [&](const std::string &folder) {
                         std::string begin = std::filesystem::absolute(folder).string() + "/";
                         return path.compare(0, begin.size(), begin) == 0 ||
                                path.compare(0, folder.size() + 1, folder + "/") == 0;
                       });
  };
  for (size_t at = 1; at <= sources.size();) {
    size_t offset = 0;
    Fortran::parser::Provenance place{at};
    const Fortran::parser::SourceFile *file = sources.GetSourceFile(place, &offset);
    // At the beginning of a file its text stands there; other texts are expansions of macros.
    bool begins = file && file->bytes() > 0 && &sources[place] == file->content().data();
    at += begins ? file->bytes() : 1;
    if (!begins || file->path() == settings.scratchFile || isOwn(file->path()))
      continue;
    std::string path = file->path();
    if (path.find("/foreign/") != std::string::npos &&
        directoryOf(path) ==
            std::filesystem::absolute(directoryOf(settings.scratchFile) + "/foreign")
                .lexically_normal())
      continue; // made of one of those below
    if (path.size() > 4 && path.compare(path.size() - 4, 4, ".mod") == 0)
      path = pathOfModuleFile(settings, path);
    if (std::find(files.begin(), files.end(), path) == files.end())
      files.push_back(path);
  }
  for (const std::string &path : foreignModulesOf(*this).files)
    files.push_back(pathOfModuleFile(settings, path));
  return files;
}

} // namespace cufc
