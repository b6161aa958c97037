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
#include "frontend/shared_walk.h"
#include "frontend/statement_visitor.h"
#include <functional>
#include <memory>

namespace cufc {

class CheckContext {
public:
  // What is reported outside of checks, and in the end of all, goes to `diagnostics`.
  CheckContext(FlangProgram &program, const CheckOptions &options, Diagnostics &diagnostics);

  using Check = void(CheckContext &);
  // Runs checks, whose visitors share one walk. Findings come in the order of the checks.
  void run(const std::vector<Check *> &checks);

  // The reference is good until the next diagnostic: for related places and fixes.
  template <typename... Arguments>
  Diagnostic &report(DiagnosticId<Arguments...> id, Fortran::parser::CharBlock place,
                     const typename AsIs<Arguments>::type &...arguments) {
    return list().report(id, rangeOf(program, place), arguments...);
  }

  // The same where flang has read nothing.
  template <typename... Arguments>
  Diagnostic &report(DiagnosticId<Arguments...> id, SourceRange range,
                     const typename AsIs<Arguments>::type &...arguments) {
    return list().report(id, std::move(range), arguments...);
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

  // For checks that `run` runs: a visitor for the walk that all share, which is made with these
  // arguments and lives as long as the context.
  template <typename Visitor, typename... Arguments>
  Visitor &visit(Arguments &&...arguments) {
    auto visitor = std::make_unique<Visitor>(std::forward<Arguments>(arguments)...);
    Visitor &result = *visitor;
    shared.add(result);
    visitors.push_back({std::move(visitor), check});
    return result;
  }
  // What the check does when its visitors have seen everything.
  void afterwards(std::function<void()> rest) { rests.emplace_back(std::move(rest), check); }

  // A walk at once.
  void walk(StatementVisitor &visitor) { walkTree(tree(), visitor); }

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
  Diagnostics &list() {
    if (found.empty())
      return diagnostics;
    return found[shared.isWalking() ? visitors[shared.current()].second : check];
  }

  Diagnostics &diagnostics;
  std::vector<Diagnostics> found; // by each check; empty while none is run
  size_t check = 0;               // that is run
  SharedWalk shared;
  std::vector<std::pair<std::unique_ptr<StatementVisitor>, size_t>> visitors;
  std::vector<std::pair<std::function<void()>, size_t>> rests;
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
