// The list of checks, and how they are run. For tests of the tests, -D__cufc_leave_out__= takes the
// number of a check or the code of a diagnostic that is then not looked for
// (tests/matrix/checks.py).
#include "checks/check.h"
#include "checks/check_filters.h"
#include "checks/fixes.h"
#include "checks/generic_arguments.h"
#include "checks/hazard_checks.h"
#include "checks/library_checks.h"
#include "checks/lost_values.h"
#include "checks/mpi_checks.h"
#include "checks/openmp.h"
#include "frontend/modules/partial_interfaces.h"

namespace cufc {
namespace {

constexpr CheckContext::Check *checks[] = {
    checkSavedData,    checkDispatch,         checkRecursion,       checkDeviceAllocation,
    checkSharedMemory, checkConstantMemory,   checkKernelArguments, checkHostCalls,
    checkImages,       checkRealKinds,        checkLaunches,        checkDeviceVariables,
    checkDeviceCalls,  checkDeviceIntrinsics, checkHostData,        checkKernelForms,
    checkLaunchForms,  checkActualArguments,  checkHostAssignments, checkDeviceOutput,
    checkDeviceTypes,  checkDataAttributes,   checkExtensions,      checkDeviceDeclarations,
    checkMpiCalls,     checkOpenmp,           checkRemovedRoutines, checkLibraryLetters,
    checkLostValues,   checkUnreadText,
};

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

// What tests want to be left out; empty: nothing.
std::string leftOut(const FlangProgram &program) {
  for (const auto &[macro, value] : program.options.predefinitions)
    if (macro == "__cufc_leave_out__" && value)
      return *value;
  return {};
}

void removeCode(Diagnostics &diagnostics, const std::string &code) {
  std::vector<Diagnostic> kept;
  for (const Diagnostic &diagnostic : diagnostics.list())
    if (diagnostic.code != code)
      kept.push_back(diagnostic);
  diagnostics.replace(std::move(kept));
}

} // namespace

CheckContext::CheckContext(FlangProgram &program, const CheckOptions &options,
                           Diagnostics &diagnostics)
    : program(program), options(options), procedures(program), diagnostics(diagnostics) {
  MissingModules missing;
  walk(missing);
  modulesMissing = missing.found;
}

void CheckContext::run(const std::vector<Check *> &checks) {
  found.resize(checks.size());
  for (check = 0; check < checks.size(); ++check)
    checks[check](*this);
  shared.walk(tree());
  for (const auto &[rest, number] : rests) {
    check = number;
    rest();
  }
  for (Diagnostics &ofCheck : std::exchange(found, {}))
    for (const Diagnostic &diagnostic : ofCheck.list())
      diagnostics.add(diagnostic);
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
  const std::string missing = leftOut(program.flang());
  std::vector<CheckContext::Check *> wanted;
  for (size_t number = 0; number < std::size(checks); ++number)
    if (missing != std::to_string(number))
      wanted.push_back(checks[number]);
  context.run(wanted);
  const bool lacksNames = mayLackNames(program.flang());
  // After errors much looks unused, or unknown.
  bool hazards = options.hazards && !diagnostics.hasErrors();
  if (hazards) {
    checkHazards(context, found);
    if (!lacksNames) // what uses a module may be what is missing
      checkUnused(context, found);
  }
  checkGenericArguments(context, diagnostics);
  if (!missing.empty())
    removeCode(found, missing);
  filterMessages(context, program, found.list(), hazards, diagnostics);
}

} // namespace cufc
