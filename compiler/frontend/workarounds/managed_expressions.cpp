// See managed_expressions.h.
#include "frontend/workarounds/managed_expressions.h"
#include "flang/Evaluate/tools.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "frontend/statement_visitor.h"
#include <cstddef>
#include <set>
#include <string>

namespace cufc {
namespace {

using namespace Fortran;

bool isPlainProcedure(const parser::Name *name) {
  const auto *details = name && name->symbol
                            ? name->symbol->GetUltimate().detailsIf<semantics::SubprogramDetails>()
                            : nullptr;
  return details && !semantics::IsDummy(*name->symbol);
}

// Where such arguments begin.
class Expressions : public StatementVisitor {
public:
  explicit Expressions(const FlangProgram &program) : program(program) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::Call &call) override {
    if (isPlainProcedure(
            std::get_if<parser::Name>(&std::get<parser::ProcedureDesignator>(call.t).u)))
      for (const auto &argument : std::get<std::list<parser::ActualArgSpec>>(call.t))
        if (const auto *value = std::get_if<common::Indirection<parser::Expr>>(
                &std::get<parser::ActualArg>(argument.t).u))
          add(value->value());
    return true;
  }

  std::set<std::size_t> places;

private:
  void add(const parser::Expr &actual) {
    const auto *typed = semantics::GetExpr(*program.context, actual);
    auto type = typed ? typed->GetType() : std::nullopt;
    if (!type || evaluate::IsVariable(*typed) ||
        type->category() == common::TypeCategory::Derived ||
        type->category() == common::TypeCategory::Character)
      return;
    if (auto place = program.cooked.GetProvenanceRange(actual.source))
      places.insert(place->start().offset());
  }

  const FlangProgram &program;
};

} // namespace

bool isOfManagedExpression(const Finding &finding, const FlangProgram &program) {
  if (!finding.is(Phrase::ManagedDummyOfHostData) || !finding.place())
    return false;
  Expressions expressions(program);
  walkTree(*program.parsing->parseTree(), expressions);
  return expressions.places.count(*finding.place()) != 0;
}

} // namespace cufc
