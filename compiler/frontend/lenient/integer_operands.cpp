// See integer_operands.h. An operation that flang refuses has no typed expression.
#include "frontend/lenient/integer_operands.h"
#include "base/diag.h"
#include "base/flang_phrases.h"
#include "base/language_diag.h"
#include "flang/Parser/tools.h"
#include "flang/Semantics/expression.h"
#include "flang/Semantics/tools.h"
#include "frontend/edits.h"
#include "frontend/flang_versions.h"
#include "frontend/messages.h"
#include "frontend/statement_visitor.h"
#include <set>
#include <utility>

namespace cufc {
namespace {

using namespace Fortran;

using Place = std::pair<size_t, size_t>; // where a provenance begins, and its size

Place placeOf(const parser::ProvenanceRange &range) {
  return {range.start().offset(), range.size()};
}

// Where flang wants a logical value and found an integer.
std::set<Place> refusedConditions(parser::Messages &messages, const FlangProgram &program) {
  std::set<Place> places;
  for (const parser::Message &message : messages.messages())
    if (isPhrase(message.ToString(), Phrase::IntegerAsLogical))
      if (auto range = message.GetProvenanceRange(program.cooked))
        places.insert(placeOf(*range));
  return places;
}

// The conditions at such places.
class Conditions : public StatementVisitor {
public:
  Conditions(FlangProgram &program, std::set<Place> places, EditList &edits,
             Diagnostics &diagnostics)
      : program(program), places(std::move(places)), edits(edits), diagnostics(diagnostics) {}

  bool any() const { return !places.empty(); }

  using StatementVisitor::Pre;
  bool Pre(const parser::Expr &expression) override {
    auto range = program.cooked.GetProvenanceRange(expression.source);
    if (!range || !places.count(placeOf(*range)))
      return true;
    if (edits.around(expression.source, "btest(", ",0)"))
      diagnostics.report(Diag::IntegerCondition, rangeOf(program, expression.source));
    return false;
  }

private:
  FlangProgram &program;
  std::set<Place> places;
  EditList &edits;
  Diagnostics &diagnostics;
};

class RefusedOperations : public StatementVisitor {
public:
  RefusedOperations(FlangProgram &program, EditList &edits, Diagnostics &diagnostics)
      : program(program), edits(edits), diagnostics(diagnostics) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::Expr &expression) override {
    if (semantics::GetExpr(*program.context, expression))
      return true;
    test<parser::Expr::AND>(expression);
    test<parser::Expr::OR>(expression);
    test<parser::Expr::EQV>(expression);
    test<parser::Expr::NEQV>(expression);
    return true;
  }

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
    if (edits.around(operand, "btest(", ",0)"))
      diagnostics.report(Diag::IntegerCondition, rangeOf(program, operand));
  }

  FlangProgram &program;
  EditList &edits;
  Diagnostics &diagnostics;
};

class OtherOperands : public StatementVisitor {
public:
  OtherOperands(FlangProgram &program, EditList &edits, Diagnostics &diagnostics)
      : program(program), edits(edits), diagnostics(diagnostics) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::Expr &expression) override {
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
  bool Pre(const parser::CallStmt &call) override {
    if (!call.typedCall)
      passSections(callIn(call));
    return true;
  }

private:
  // An element stands for the array from there on, also of an array that may have gaps, which only
  // a section can do: x(i) becomes x(i:), and x(1, j) becomes x(1:, j:).
  void passSections(const parser::Call &call) {
    for (const auto &argument : std::get<std::list<parser::ActualArgSpec>>(call.t)) {
      const auto *value = std::get_if<common::Indirection<parser::Expr>>(
          &std::get<parser::ActualArg>(argument.t).u);
      const auto *element = value ? parser::Unwrap<parser::ArrayElement>(value->value()) : nullptr;
      const auto *array = element ? parser::GetLastName(baseIn(*element)).symbol : nullptr;
      if (array && (semantics::IsAssumedShape(*array) || semantics::IsPointer(*array)))
        openSubscripts(subscriptsIn(*element));
    }
  }

  void openSubscripts(const std::list<parser::SectionSubscript> &subscripts) {
    std::vector<parser::CharBlock> opened;
    for (const parser::SectionSubscript &subscript : subscripts) {
      const auto *index = std::get_if<parser::IntExpr>(&subscript.u);
      if (!index ||
          (&subscript != &subscripts.back() && index->thing.value().source.ToString() != "1"))
        return;
      opened.push_back(index->thing.value().source);
    }
    for (parser::CharBlock index : opened)
      edits.behind(index, ":");
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
    if (edits.around(text, before, after))
      diagnostics.report(id, rangeOf(program, text));
  }

  FlangProgram &program;
  EditList &edits;
  Diagnostics &diagnostics;
};

} // namespace

void mendOperands(FlangProgram &program, EditList &edits, Diagnostics &diagnostics) {
  OtherOperands operands(program, edits, diagnostics);
  walkTree(*program.parsing->parseTree(), operands);
}

void testIntegerOperands(FlangProgram &program, EditList &edits, Diagnostics &diagnostics) {
  RefusedOperations operations(program, edits, diagnostics);
  walkTree(*program.parsing->parseTree(), operations);
}

void testIntegerConditions(parser::Messages &messages, FlangProgram &program, EditList &edits,
                           Diagnostics &diagnostics) {
  Conditions conditions(program, refusedConditions(messages, program), edits, diagnostics);
  if (conditions.any())
    walkTree(*program.parsing->parseTree(), conditions);
}

} // namespace cufc
