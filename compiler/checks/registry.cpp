// The list of checks, and how they are run.
#include "checks/check.h"
#include "checks/fixes.h"
#include "checks/generic_arguments.h"
#include "checks/hazard_checks.h"
#include "checks/library_checks.h"
#include "checks/lost_values.h"
#include "checks/mpi_checks.h"
#include "checks/openmp.h"
#include "frontend/partial_interfaces.h"
#include "source/spelling.h"
#include <algorithm>
#include <tuple>

namespace cufc {
namespace {

constexpr void (*checks[])(CheckContext &) = {
    checkSavedData,    checkDispatch,         checkRecursion,       checkDeviceAllocation,
    checkSharedMemory, checkConstantMemory,   checkKernelArguments, checkHostCalls,
    checkImages,       checkRealKinds,        checkLaunches,        checkDeviceVariables,
    checkDeviceCalls,  checkDeviceIntrinsics, checkHostData,        checkKernelForms,
    checkLaunchForms,  checkActualArguments,  checkHostAssignments, checkDeviceOutput,
    checkDeviceTypes,  checkDataAttributes,   checkExtensions,      checkDeviceDeclarations,
    checkMpiCalls,     checkOpenmp,           checkRemovedRoutines, checkLibraryLetters,
    checkLostValues,
};

// Whether a check has reported an error on the lines of the message, with one of its codes.
bool isReplaced(const Replaceable &message, const std::vector<Diagnostic> &found) {
  const SourceRange &range = message.diagnostic.range;
  return std::any_of(found.begin(), found.end(), [&](const Diagnostic &other) {
    return other.range.file == range.file && other.range.endLine >= range.line &&
           other.range.line <= std::max(range.line, range.endLine) &&
           message.codes.find(other.code) != std::string_view::npos;
  });
}

// Finds a USE of a module that flang could not read.
struct MissingModules : ShallowVisitor {
  using StatementVisitor::Pre;
  bool Pre(const Fortran::parser::UseStmt &use) override {
    found |= !use.moduleName.symbol;
    return false;
  }
  bool Pre(const Fortran::parser::ExecutionPart &) override { return false; }
  bool found = false;
};

// flang's warnings of variables that are never used, where a hint of ours says the same and mends
// it.
void dropRepeated(const std::vector<Diagnostic> &found, Diagnostics &diagnostics) {
  constexpr std::string_view ending = " never used"; // in any wording of flang
  auto same = [](const Diagnostic &one, const Diagnostic &other) {
    return std::tie(one.range.file, one.range.line, one.range.column) ==
           std::tie(other.range.file, other.range.line, other.range.column);
  };
  std::vector<Diagnostic> kept;
  for (const Diagnostic &diagnostic : diagnostics.list()) {
    const std::string &text = diagnostic.message;
    bool repeated = diagnostic.severity == Severity::Warning && text.size() > ending.size() &&
                    text.compare(text.size() - ending.size(), ending.size(), ending) == 0 &&
                    std::any_of(found.begin(), found.end(), [&](const Diagnostic &ours) {
                      return ours.tag == DiagnosticTag::Unnecessary && same(ours, diagnostic);
                    });
    if (!repeated)
      kept.push_back(diagnostic);
  }
  diagnostics.replace(std::move(kept));
}

// What flang says of the arguments of a function that is none.
void dropArgumentsOfUndeclared(std::vector<Diagnostic> &list) {
  std::vector<std::pair<std::string, int>> lines; // of calls of functions that are none
  for (const Diagnostic &diagnostic : list)
    if (diagnostic.code == "CUF1051")
      lines.emplace_back(diagnostic.range.file, diagnostic.range.line);
  auto follows = [&](const Diagnostic &d) {
    return d.code == "CUF1309" &&
           std::count(lines.begin(), lines.end(), std::pair(d.range.file, d.range.line)) != 0;
  };
  list.erase(std::remove_if(list.begin(), list.end(), follows), list.end());
}

bool isInside(const SourceRange &place, const SourceRange &outer) {
  return place.file == outer.file && place.line >= outer.line && place.line <= outer.endLine;
}

// Where an argument lies, if the procedure cannot be called there anyway.
void dropArgumentsOfHostProcedures(std::vector<Diagnostic> &list) {
  std::vector<std::pair<std::string, int>> lines;
  for (const Diagnostic &diagnostic : list)
    if (diagnostic.code == "CUF0201")
      lines.emplace_back(diagnostic.range.file, diagnostic.range.line);
  auto follows = [&](const Diagnostic &d) {
    return d.code == "CUF0219" &&
           std::count(lines.begin(), lines.end(), std::pair(d.range.file, d.range.line)) != 0;
  };
  list.erase(std::remove_if(list.begin(), list.end(), follows), list.end());
}

// Where an argument lies that the procedure does not take for its type or rank.
void dropMemoryOfOtherTypes(std::vector<Diagnostic> &list, const Diagnostics &diagnostics) {
  auto follows = [&](const Diagnostic &d) {
    return d.code == "CUF0219" && std::any_of(diagnostics.list().begin(), diagnostics.list().end(),
                                              [&](const Diagnostic &other) {
                                                return other.code == "CUF1213" &&
                                                       other.range.file == d.range.file &&
                                                       other.range.line == d.range.line &&
                                                       other.range.column == d.range.column;
                                              });
  };
  list.erase(std::remove_if(list.begin(), list.end(), follows), list.end());
}

// A kernel without attributes(global) is told of where it is launched, with what mends it; its
// thread indices and the arguments of the launch follow from that. Without a launch the first of
// its thread indices stands for all.
void dropFollowersOfHostCode(const CheckContext &context, std::vector<Diagnostic> &list) {
  std::vector<SourceRange> procedures, bodies, launches;
  for (const Procedure &procedure : context.procedures.all()) {
    if (procedure.scope)
      procedures.push_back(rangeOf(context.program, procedure.scope->sourceRange()));
    for (const ProcedureCall &call : procedure.calls) {
      SourceRange place = rangeOf(context.program, statementAround(context, call.place));
      bool reported = std::any_of(list.begin(), list.end(), [&](const Diagnostic &d) {
        return d.code == "CUF1050" && isInside(d.range, place);
      });
      if (!reported)
        continue;
      launches.push_back(place);
      if (const auto *scope = call.callee ? call.callee->GetUltimate().scope() : nullptr)
        bodies.push_back(rangeOf(context.program, scope->sourceRange()));
    }
  }
  auto inAny = [](const SourceRange &place, const std::vector<SourceRange> &all) {
    return std::any_of(all.begin(), all.end(),
                       [&](const SourceRange &one) { return isInside(place, one); });
  };
  std::vector<SourceRange> told;
  auto follows = [&](const Diagnostic &d) {
    if (d.code == "CUF0219" || d.code == "CUF0229")
      return inAny(d.range, launches);
    if (d.code != "CUF0226")
      return false;
    if (inAny(d.range, bodies) || inAny(d.range, told))
      return true;
    for (const SourceRange &procedure : procedures)
      if (isInside(d.range, procedure))
        told.push_back(procedure);
    return false;
  };
  list.erase(std::remove_if(list.begin(), list.end(), follows), list.end());
}

// What the front end says of LOCAL in the loop of a CUF kernel explains why the variable is one of
// the host there.
void dropOfLocality(std::vector<Diagnostic> &list, const Diagnostics &diagnostics) {
  auto nameIn = [](const Diagnostic &diagnostic) {
    size_t begin = diagnostic.message.find('\''), end = diagnostic.message.find('\'', begin + 1);
    return diagnostic.message.substr(begin, end - begin);
  };
  for (const Diagnostic &local : diagnostics.list())
    if (local.code == "CUF0284")
      list.erase(std::remove_if(list.begin(), list.end(),
                                [&](const Diagnostic &diagnostic) {
                                  return diagnostic.code == "CUF0203" &&
                                         nameIn(diagnostic) == nameIn(local);
                                }),
                 list.end());
}

// What would not be said of a procedure if its module were there; of known ones the checks say it.
bool isAboutInterface(const Replaceable &message) {
  static constexpr std::string_view parts[] = {
      " may not be called in device code", "Kernel launch parameters in chevrons may not be used",
      "should be passed via an explicit interface"};
  return std::any_of(std::begin(parts), std::end(parts), [&](std::string_view part) {
    return message.text.find(part) != std::string::npos;
  });
}

} // namespace

CheckContext::CheckContext(FlangProgram &program, const CheckOptions &options,
                           Diagnostics &diagnostics)
    : program(program), options(options), procedures(program), diagnostics(diagnostics) {
  MissingModules missing;
  walk(missing);
  modulesMissing = missing.found;
}

bool CheckContext::isUnknown(const Fortran::semantics::Symbol &symbol) const {
  const auto *external = symbol.detailsIf<Fortran::semantics::ProcEntityDetails>();
  return program.context->HasError(symbol) ||
         (modulesMissing && external && !external->HasExplicitInterface());
}

std::vector<Replaceable> CheckContext::replaceableAt(Fortran::parser::CharBlock place) const {
  std::vector<Replaceable> found;
  if (program.replaceable.empty())
    return found;
  SourceRange range = rangeOf(program, place);
  for (const Replaceable &message : program.replaceable)
    if (message.diagnostic.range.file == range.file &&
        message.diagnostic.range.line == range.line &&
        message.diagnostic.range.column == range.column)
      found.push_back(message);
  return found;
}

void runChecks(Program &program, const CheckOptions &options, Diagnostics &diagnostics) {
  Diagnostics found;
  CheckContext context(program.flang(), options, found);
  for (auto *check : checks)
    check(context);
  // After errors much looks unused, or unknown.
  const bool lacksNames = mayLackNames(program.flang());
  bool hazards = options.hazards && !diagnostics.hasErrors();
  if (hazards) {
    checkHazards(context, found);
    if (!lacksNames) // what uses a module may be what is missing
      checkUnused(context, found);
  }
  checkGenericArguments(context, diagnostics);
  std::vector<Diagnostic> list = found.list();
  if (hazards)
    dropRepeated(list, diagnostics);
  for (const Replaceable &message : program.flang().replaceable)
    if (!isReplaced(message, found.list()) && !isReplaced(message, diagnostics.list()) &&
        !(lacksNames && isAboutInterface(message)))
      list.push_back(message.diagnostic);
  dropOfLocality(list, diagnostics);
  program.dropConsequencesOfRecovery(list);
  dropFollowersOfHostCode(context, list);
  dropArgumentsOfHostProcedures(list);
  dropMemoryOfOtherTypes(list, diagnostics);
  restoreSpelling(list, program.options().path, program.flang().source);
  auto key = [](const Diagnostic &d) {
    return std::tie(d.range.file, d.range.line, d.range.column, d.message);
  };
  std::sort(list.begin(), list.end(),
            [&](const Diagnostic &a, const Diagnostic &b) { return key(a) < key(b); });
  auto same = [&](const Diagnostic &a, const Diagnostic &b) { return key(a) == key(b); };
  list.erase(std::unique(list.begin(), list.end(), same), list.end());
  for (const Diagnostic &diagnostic : list)
    if (options.warnings || diagnostic.severity == Severity::Error)
      diagnostics.add(diagnostic);
  std::vector<Diagnostic> all = diagnostics.list();
  dropArgumentsOfUndeclared(all);
  diagnostics.replace(std::move(all));
}

} // namespace cufc
