// The one instantiation of flang's walk over its expressions. See expression_visitor.h.
#include "frontend/expression_visitor.h"
#include "flang/Evaluate/traverse.h"

namespace cufc {

using namespace Fortran;

ExpressionVisitor::~ExpressionVisitor() = default;

namespace {

class Caller : public evaluate::AnyTraverse<Caller> {
public:
  using Base = evaluate::AnyTraverse<Caller>;
  explicit Caller(ExpressionVisitor &visitor) : Base(*this), visitor(visitor) {}
  using Base::operator();

  bool operator()(const semantics::Symbol &x) const { return ask(visitor.symbol(x), x); }
  bool operator()(const evaluate::ArrayRef &x) const { return ask(visitor.arrayElements(x), x); }
  bool operator()(const evaluate::DescriptorInquiry &x) const { return ask(visitor.inquiry(x), x); }
  bool operator()(const evaluate::ProcedureRef &x) const { return ask(visitor.call(x), x); }
  template <typename T>
  bool operator()(const evaluate::Designator<T> &x) const {
    return Base::operator()(x) ||
           visitor.reference(x.GetLastSymbol(), x.GetBaseObject().symbol(), x.Rank());
  }
  template <common::TypeCategory category, int kind>
  bool operator()(const evaluate::Expr<evaluate::Type<category, kind>> &x) const {
    return visitor.type(category, kind) || Base::operator()(x);
  }

private:
  template <typename T>
  bool ask(ExpressionVisitor::Found answer, const T &x) const {
    return answer ? *answer : Base::operator()(x);
  }

  ExpressionVisitor &visitor;
};

} // namespace

bool walkExpression(const evaluate::Expr<evaluate::SomeType> &expression,
                    ExpressionVisitor &visitor) {
  return Caller(visitor)(expression);
}

} // namespace cufc
