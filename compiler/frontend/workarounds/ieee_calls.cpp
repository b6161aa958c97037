// See ieee_calls.h. A reference that flang refuses has no typed expression.
#include "frontend/workarounds/ieee_calls.h"
#include "flang/Semantics/expression.h"
#include "flang/Semantics/tools.h"
#include "frontend/edits.h"
#include "frontend/statement_visitor.h"
#include <string_view>

namespace cufc {
namespace {

using namespace Fortran;

class RefusedCalls : public StatementVisitor {
public:
  RefusedCalls(FlangProgram &program, EditList &edits) : program(program), edits(edits) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::Expr &expression) override {
    const auto *reference =
        std::get_if<common::Indirection<parser::FunctionReference>>(&expression.u);
    if (!reference || semantics::GetExpr(*program.context, expression))
      return true;
    const parser::Call &call = reference->value().v;
    const auto *name = std::get_if<parser::Name>(&std::get<parser::ProcedureDesignator>(call.t).u);
    if (name && name->ToString().rfind("ieee_", 0) == 0)
      for (const auto &argument : std::get<std::list<parser::ActualArgSpec>>(call.t))
        add(std::get<parser::ActualArg>(argument.t));
    return true;
  }

private:
  void add(const parser::ActualArg &argument) {
    const auto *value = std::get_if<common::Indirection<parser::Expr>>(&argument.u);
    if (value && std::holds_alternative<common::Indirection<parser::Designator>>(value->value().u))
      edits.around(value->value().source, "(", ")");
  }

  FlangProgram &program;
  EditList &edits;
};

} // namespace

void parenthesiseIeeeArguments(FlangProgram &program, EditList &edits) {
  RefusedCalls calls(program, edits);
  walkTree(*program.parsing->parseTree(), calls);
}

} // namespace cufc
