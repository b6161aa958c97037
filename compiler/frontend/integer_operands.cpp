// See integer_operands.h. An operation that flang refuses has no typed expression.
#include "frontend/integer_operands.h"
#include "base/diag.h"
#include "base/language_diag.h"
#include "flang/Parser/tools.h"
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

class OtherOperands : public StatementVisitor {
public:
  OtherOperands(FlangProgram &program, const std::string &path, Diagnostics &diagnostics)
      : program(program), path(path), diagnostics(diagnostics) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::Expr &expression) {
    const auto *reference =
        std::get_if<common::Indirection<parser::FunctionReference>>(&expression.u);
    if (!reference || semantics::GetExpr(*program.context, expression))
      return true;
    const parser::Call &call = reference->value().v;
    passSections(call);
    const auto *name = std::get_if<parser::Name>(&std::get<parser::ProcedureDesignator>(call.t).u);
    const auto &arguments = std::get<std::list<parser::ActualArgSpec>>(call.t);
    if (name && name->ToString() == "not" && arguments.size() == 1 && isLogical(arguments.front()))
      wrap(LanguageDiag::LogicalNot, name->source, ".", ".");
    return true;
  }
  bool Pre(const parser::CallStmt &call) {
    if (!call.typedCall)
      passSections(call.call);
    return true;
  }

  std::vector<Edit> edits;

private:
  // An element stands for the array from there on, also of an array that may have gaps, which only
  // a section can do: x(i) becomes x(i:), and x(1, j) becomes x(1:, j:).
  void passSections(const parser::Call &call) {
    for (const auto &argument : std::get<std::list<parser::ActualArgSpec>>(call.t)) {
      const auto *value = std::get_if<common::Indirection<parser::Expr>>(
          &std::get<parser::ActualArg>(argument.t).u);
      const auto *element = value ? parser::Unwrap<parser::ArrayElement>(value->value()) : nullptr;
      const auto *array = element ? parser::GetLastName(element->base).symbol : nullptr;
      if (array && (semantics::IsAssumedShape(*array) || semantics::IsPointer(*array)))
        openSubscripts(element->subscripts);
    }
  }

  void openSubscripts(const std::list<parser::SectionSubscript> &subscripts) {
    std::vector<Edit> colons;
    for (const parser::SectionSubscript &subscript : subscripts) {
      const auto *index = std::get_if<parser::IntExpr>(&subscript.u);
      if (!index ||
          (&subscript != &subscripts.back() && index->thing.value().source.ToString() != "1"))
        return;
      auto colon = insertion(program, path, index->thing.value().source.end() - 1, 1, ":");
      if (!colon)
        return;
      colons.push_back(std::move(*colon));
    }
    edits.insert(edits.end(), colons.begin(), colons.end());
  }

  bool isLogical(const parser::ActualArgSpec &argument) const {
    const auto *value =
        std::get_if<common::Indirection<parser::Expr>>(&std::get<parser::ActualArg>(argument.t).u);
    return value && is(value->value(), common::TypeCategory::Logical);
  }

  bool is(const parser::Expr &operand, common::TypeCategory category) const {
    const auto *typed = semantics::GetExpr(*program.context, operand);
    auto type = typed ? typed->GetType() : std::nullopt;
    return type && type->category() == category;
  }

  void wrap(DiagnosticId<> id, parser::CharBlock text, const char *before, const char *after) {
    auto opening = insertion(program, path, text.begin(), 0, before);
    auto closing = insertion(program, path, text.end() - 1, 1, after);
    if (!opening || !closing)
      return;
    edits.push_back(std::move(*opening));
    edits.push_back(std::move(*closing));
    diagnostics.report(id, rangeOf(program, text));
  }

  FlangProgram &program;
  const std::string &path;
  Diagnostics &diagnostics;
};

} // namespace

std::vector<Edit> mendedOperands(FlangProgram &program, const std::string &path,
                                 Diagnostics &diagnostics) {
  OtherOperands operands(program, path, diagnostics);
  parser::Walk(*program.parsing->parseTree(), operands);
  return std::move(operands.edits);
}

std::vector<Edit> testsOfIntegerOperands(FlangProgram &program, const std::string &path,
                                         Diagnostics &diagnostics) {
  RefusedOperations operations(program, path, diagnostics);
  parser::Walk(*program.parsing->parseTree(), operations);
  return std::move(operations.edits);
}

} // namespace cufc
