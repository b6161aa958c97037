// Real and complex kinds without code: kind 3 (bfloat16), which neither flang's run-time library
// nor C's has functions for, and in device code the kinds 10 and 16. flang checks what is declared
// with a device attribute, not literals and values.
#include "base/diag.h"
#include "checks/check.h"
#include "checks/code_visitor.h"
#include "flang/Semantics/expression.h"
#include "frontend/expression_visitor.h"

namespace cufc {
namespace {

using namespace Fortran;
using common::TypeCategory;

// The first kind without code in an expression, or 0.
class Kinds : public ExpressionVisitor {
public:
  explicit Kinds(bool onDevice) : onDevice(onDevice) {}

  bool type(TypeCategory category, int kind) override {
    if ((category == TypeCategory::Real || category == TypeCategory::Complex) &&
        (kind == 3 || (onDevice && kind > 8)))
      found = kind;
    return found != 0;
  }

  int found = 0;

private:
  bool onDevice;
};

class Expressions : public CodeVisitor {
public:
  explicit Expressions(CheckContext &context) : context(context) {}

  using CodeVisitor::Post;
  using CodeVisitor::Pre;
  bool Pre(const parser::Expr &expression) override {
    if (const auto *typed =
            executing() ? semantics::GetExpr(*context.program.context, expression) : nullptr)
      check(*typed, expression.source);
    return false;
  }
  bool Pre(const parser::Variable &variable) override {
    if (const auto *typed = semantics::GetExpr(*context.program.context, variable))
      check(*typed, variable.GetSource());
    return true;
  }

private:
  void check(const evaluate::Expr<evaluate::SomeType> &value, parser::CharBlock place) {
    Kinds kinds(onDevice());
    if (walkExpression(value, kinds) && seen.insert(source.begin()).second)
      context.report(Diag::RealKind, place, kinds.found,
                     std::string(kinds.found == 3 ? "" : " in device code"));
  }

  CheckContext &context;
  std::set<const char *> seen; // one message a statement
};

} // namespace

void checkRealKinds(CheckContext &context) { context.visit<Expressions>(context); }

} // namespace cufc
