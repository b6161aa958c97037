// See replaced_values.h.
#include "frontend/replaced_values.h"
#include "flang/Evaluate/tools.h"
#include "frontend/statement_visitor.h"
#include <utility>

namespace cufc {
namespace {

using namespace Fortran;

class Beginnings : public StatementVisitor {
public:
  using StatementVisitor::Pre;
  bool Pre(const parser::ExecutionPart &part) override {
    std::set<const semantics::Symbol *> read;
    for (const parser::ExecutionPartConstruct &construct : part.v) {
      const evaluate::Assignment *assignment = assignmentOf(construct);
      if (!assignment)
        break;
      addSymbols(assignment->rhs, read);
      const semantics::Symbol *whole = evaluate::UnwrapWholeSymbolDataRef(assignment->lhs);
      if (!whole)
        addSymbols(assignment->lhs, read);
      else if (!read.count(&whole->GetUltimate()))
        variables.insert(&whole->GetUltimate());
    }
    return false;
  }
  std::set<const semantics::Symbol *> variables;

private:
  static const evaluate::Assignment *assignmentOf(const parser::ExecutionPartConstruct &construct) {
    const auto *executable = std::get_if<parser::ExecutableConstruct>(&construct.u);
    using Action = parser::Statement<parser::ActionStmt>;
    const auto *action = executable ? std::get_if<Action>(&executable->u) : nullptr;
    using Assignment = common::Indirection<parser::AssignmentStmt>;
    const auto *statement = action ? std::get_if<Assignment>(&action->statement.u) : nullptr;
    if (!statement || !statement->value().typedAssignment || !statement->value().typedAssignment->v)
      return nullptr;
    const evaluate::Assignment &assignment = *statement->value().typedAssignment->v;
    return std::holds_alternative<evaluate::Assignment::Intrinsic>(assignment.u) ? &assignment
                                                                                 : nullptr;
  }
  static void addSymbols(const evaluate::Expr<evaluate::SomeType> &expression,
                         std::set<const semantics::Symbol *> &symbols) {
    for (const semantics::Symbol &symbol : evaluate::CollectSymbols(expression))
      symbols.insert(&symbol.GetUltimate());
  }
};

} // namespace

ReplacedValues::ReplacedValues(const parser::Program &program) {
  Beginnings beginnings;
  walkTree(program, beginnings);
  variables = std::move(beginnings.variables);
}

} // namespace cufc
