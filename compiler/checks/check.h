// What a check gets, and the list that each of them is a row of. Private to checks/.
#ifndef CUFC_CHECKS_CHECK_H
#define CUFC_CHECKS_CHECK_H

#include "checks/checks.h"
#include "checks/procedures.h"
#include "flang/Evaluate/tools.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "frontend/flang_program.h"
#include "frontend/messages.h"
#include "frontend/statement_visitor.h"

namespace cufc {

class CheckContext {
public:
  CheckContext(FlangProgram &program, const CheckOptions &options, Diagnostics &diagnostics);

  // The reference is good until the next diagnostic: for related places and fixes.
  template <typename... Arguments>
  Diagnostic &report(DiagnosticId<Arguments...> id, Fortran::parser::CharBlock place,
                     const typename AsIs<Arguments>::type &...arguments) {
    return diagnostics.report(id, rangeOf(program, place), arguments...);
  }

  // The same where flang has read nothing.
  template <typename... Arguments>
  Diagnostic &report(DiagnosticId<Arguments...> id, SourceRange range,
                     const typename AsIs<Arguments>::type &...arguments) {
    return diagnostics.report(id, std::move(range), arguments...);
  }

  // What `related` of a diagnostic says of another place; the row is a note.
  template <typename... Arguments>
  Diagnostic note(DiagnosticId<Arguments...> id, Fortran::parser::CharBlock place,
                  const typename AsIs<Arguments>::type &...arguments) const {
    Diagnostics notes;
    Diagnostic result = notes.report(id, rangeOf(program, place), arguments...);
    result.code.clear();
    return result;
  }
  // Adds where a symbol of this file is declared.
  void addDeclaration(Diagnostic &diagnostic, const Fortran::semantics::Symbol &symbol) const;

  void walk(StatementVisitor &visitor) { walkTree(*program.parsing->parseTree(), visitor); }

  const Fortran::parser::Program &tree() const { return *program.parsing->parseTree(); }

  // Whether nothing can be said of a symbol: flang found its declaration wrong, or it may come from
  // a module that is missing.
  bool isUnknown(const Fortran::semantics::Symbol &symbol) const;

  // The messages of flang for which a check may have better words, at a place.
  std::vector<Replaceable> replaceableAt(Fortran::parser::CharBlock place) const;

  FlangProgram &program;
  const CheckOptions &options;
  const Procedures procedures;

private:
  Diagnostics &diagnostics;
  bool modulesMissing = false;
};

// Each in a file of its name.
void checkDeviceCalls(CheckContext &context);
void checkDeviceIntrinsics(CheckContext &context);
void checkHostData(CheckContext &context);
void checkKernelForms(CheckContext &context);
void checkLaunchForms(CheckContext &context);
void checkActualArguments(CheckContext &context);
void checkHostAssignments(CheckContext &context);
void checkDeviceTypes(CheckContext &context);
void checkExtensions(CheckContext &context);
void checkDataAttributes(CheckContext &context);
void checkDeviceOutput(CheckContext &context);
void checkSavedData(CheckContext &context);
void checkDispatch(CheckContext &context);
void checkRecursion(CheckContext &context);
void checkDeviceAllocation(CheckContext &context);
void checkSharedMemory(CheckContext &context);
void checkConstantMemory(CheckContext &context);
void checkKernelArguments(CheckContext &context);
void checkHostCalls(CheckContext &context);
void checkImages(CheckContext &context);
void checkRealKinds(CheckContext &context);
void checkLaunches(CheckContext &context);
void checkDeviceVariables(CheckContext &context);
void checkDeviceDeclarations(CheckContext &context);
void checkUnreadText(CheckContext &context);

} // namespace cufc
#endif // CUFC_CHECKS_CHECK_H
