// See ieee_calls.h. A reference that flang refuses has no typed expression.
#include "frontend/ieee_calls.h"
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
  RefusedCalls(FlangProgram &program, const std::string &path) : program(program), path(path) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::Expr &expression) {
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

  std::vector<Edit> edits;

private:
  void add(const parser::ActualArg &argument) {
    const auto *value = std::get_if<common::Indirection<parser::Expr>>(&argument.u);
    if (!value ||
        !std::holds_alternative<common::Indirection<parser::Designator>>(value->value().u))
      return;
    parser::CharBlock text = value->value().source;
    auto opening = insertion(program, path, text.begin(), 0, "(");
    auto closing = insertion(program, path, text.end() - 1, 1, ")");
    if (opening && closing) {
      edits.push_back(std::move(*opening));
      edits.push_back(std::move(*closing));
    }
  }

  FlangProgram &program;
  const std::string &path;
};

} // namespace

std::vector<Edit> parenthesesForIeeeCalls(FlangProgram &program, const std::string &path) {
  RefusedCalls calls(program, path);
  parser::Walk(*program.parsing->parseTree(), calls);
  return std::move(calls.edits);
}

} // namespace cufc
