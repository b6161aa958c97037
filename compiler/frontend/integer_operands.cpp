// See integer_operands.h. An operation that flang refuses has no typed expression.
#include "frontend/integer_operands.h"
#include "base/diag.h"
#include "flang/Semantics/expression.h"
#include "flang/Semantics/tools.h"
#include "frontend/edits.h"
#include "frontend/messages.h"
#include "frontend/statement_visitor.h"

namespace cufc {
namespace {

using namespace Fortran;

class RefusedOperations : public StatementVisitor {
public:
  RefusedOperations(FlangProgram &program, const std::string &path, Diagnostics &diagnostics)
      : program(program), path(path), diagnostics(diagnostics) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::Expr &expression) {
    if (semantics::GetExpr(*program.context, expression))
      return true;
    test<parser::Expr::AND>(expression);
    test<parser::Expr::OR>(expression);
    test<parser::Expr::EQV>(expression);
    test<parser::Expr::NEQV>(expression);
    return true;
  }

  std::vector<Edit> edits;

private:
  template <typename Operation>
  void test(const parser::Expr &expression) {
    const auto *operation = std::get_if<Operation>(&expression.u);
    if (!operation)
      return;
    const parser::Expr &left = std::get<0>(operation->t).value(),
                       &right = std::get<1>(operation->t).value();
    if (isInteger(left) != isInteger(right))
      wrap((isInteger(left) ? left : right).source);
  }

  bool isInteger(const parser::Expr &operand) const {
    const auto *typed = semantics::GetExpr(*program.context, operand);
    auto type = typed ? typed->GetType() : std::nullopt;
    return type && type->category() == common::TypeCategory::Integer;
  }

  void wrap(parser::CharBlock operand) {
    auto opening = insertion(program, path, operand.begin(), 0, "btest(");
    auto closing = insertion(program, path, operand.end() - 1, 1, ",0)");
    if (!opening || !closing)
      return;
    edits.push_back(std::move(*opening));
    edits.push_back(std::move(*closing));
    diagnostics.report(Diag::IntegerCondition, rangeOf(program, operand));
  }

  FlangProgram &program;
  const std::string &path;
  Diagnostics &diagnostics;
};

} // namespace

std::vector<Edit> testsOfIntegerOperands(FlangProgram &program, const std::string &path,
                                         Diagnostics &diagnostics) {
  RefusedOperations operations(program, path, diagnostics);
  parser::Walk(*program.parsing->parseTree(), operations);
  return std::move(operations.edits);
}

} // namespace cufc
