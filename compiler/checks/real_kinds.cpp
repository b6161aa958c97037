// Real and complex kinds without code: kind 3 (bfloat16), which neither flang's run-time library
// nor C's has functions for, and in device code the kinds 10 and 16. flang checks what is declared
// with a device attribute, not literals and values.
#include "base/diag.h"
#include "checks/check.h"
#include "checks/code_visitor.h"
#include "flang/Evaluate/traverse.h"
#include "flang/Semantics/expression.h"

namespace cufc {
namespace {

using namespace Fortran;
using common::TypeCategory;

// The first kind without code in an expression, or 0.
class Kinds : public evaluate::AnyTraverse<Kinds, int> {
public:
  using Base = evaluate::AnyTraverse<Kinds, int>;
  explicit Kinds(bool onDevice) : Base(*this), onDevice(onDevice) {}
  using Base::operator();

  template <TypeCategory category, int kind>
  int operator()(const evaluate::Expr<evaluate::Type<category, kind>> &expression) const {
    if constexpr (category == TypeCategory::Real || category == TypeCategory::Complex)
      if (kind == 3 || (onDevice && kind > 8))
        return kind;
    return Base::operator()(expression);
  }

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
    if (int kind = Kinds(onDevice())(value); kind != 0 && seen.insert(source.begin()).second)
      context.report(Diag::RealKind, place, kind, std::string(kind == 3 ? "" : " in device code"));
  }

  CheckContext &context;
  std::set<const char *> seen; // one message a statement
};

} // namespace

void checkRealKinds(CheckContext &context) { context.visit<Expressions>(context); }

} // namespace cufc
