// See replaced_values.h.
#include "frontend/lenient/replaced_values.h"
#include "flang/Evaluate/tools.h"
#include "frontend/statement_visitor.h"
#include <list>
#include <utility>

namespace cufc {
namespace {

using namespace Fortran;

class Beginnings : public ShallowVisitor {
public:
  explicit Beginnings(const semantics::SemanticsContext &context) : context(context) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::ExecutionPart &part) override {
    read(part.v, nullptr);
    return true;
  }
  bool Pre(const parser::BlockConstruct &block) override {
    const auto &end = std::get<parser::Statement<parser::EndBlockStmt>>(block.t);
    read(std::get<parser::Block>(block.t), &context.FindScope(end.source));
    return true;
  }
  std::set<const semantics::Symbol *> variables;

private:
  // The variables of a BLOCK alone, if it is given: others may have been read before it.
  void read(const std::list<parser::ExecutionPartConstruct> &part, const semantics::Scope *block) {
    std::set<const semantics::Symbol *> before;
    for (const parser::ExecutionPartConstruct &construct : part) {
      const evaluate::Assignment *assignment = assignmentOf(construct);
      if (!assignment)
        break;
      addSymbols(assignment->rhs, before);
      const semantics::Symbol *whole = evaluate::UnwrapWholeSymbolDataRef(assignment->lhs);
      if (!whole)
        addSymbols(assignment->lhs, before);
      else if (!before.count(&whole->GetUltimate()) && (!block || &whole->owner() == block))
        variables.insert(&whole->GetUltimate());
    }
  }

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

  const semantics::SemanticsContext &context;
};

} // namespace

ReplacedValues::ReplacedValues(const parser::Program &program,
                               const semantics::SemanticsContext &context) {
  Beginnings beginnings(context);
  walkTree(program, beginnings);
  variables = std::move(beginnings.variables);
}

} // namespace cufc
