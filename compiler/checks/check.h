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
  CheckContext(FlangProgram &program, const CheckOptions &options, Diagnostics &diagnostics)
      : program(program), options(options), procedures(program), diagnostics(diagnostics) {}

  // The reference is good until the next diagnostic: for related places and fixes.
  template <typename... Arguments>
  Diagnostic &report(DiagnosticId<Arguments...> id, Fortran::parser::CharBlock place,
                     const typename AsIs<Arguments>::type &...arguments) {
    return diagnostics.report(id, rangeOf(program, place), arguments...);
  }

  template <typename Visitor>
  void walk(Visitor &visitor) {
    Fortran::parser::Walk(*program.parsing->parseTree(), visitor);
  }

  const Fortran::parser::Program &tree() const { return *program.parsing->parseTree(); }

  FlangProgram &program;
  const CheckOptions &options;
  const Procedures procedures;

private:
  Diagnostics &diagnostics;
};

// Each in a file of its name.
void checkSavedData(CheckContext &context);
void checkCrayPointers(CheckContext &context);
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

} // namespace cufc
#endif // CUFC_CHECKS_CHECK_H
