// Base of the visitors of flang's expressions, and the walk over them. flang's Traverse is a
// template over the visitor, which costs the C++ compiler three to seven seconds for each; here it
// is instantiated once (expression_visitor.cpp), for a base with virtual functions. Private to
// frontend/ and checks/.
#ifndef CUFC_FRONTEND_EXPRESSION_VISITOR_H
#define CUFC_FRONTEND_EXPRESSION_VISITOR_H

#include "flang/Evaluate/expression.h"
#include <optional>

namespace cufc {

// Each function is called for a part of an expression, from the left to the right, until one says
// true, which ends the walk. An optional answer is one for what is inside, too; without an answer
// the walk goes into it. Inside of a symbol is what ASSOCIATE has it stand for.
class ExpressionVisitor {
public:
  using Found = std::optional<bool>;

  virtual ~ExpressionVisitor();

  virtual Found symbol(const Fortran::semantics::Symbol &) { return std::nullopt; }
  virtual Found arrayElements(const Fortran::evaluate::ArrayRef &) { return std::nullopt; }
  virtual Found inquiry(const Fortran::evaluate::DescriptorInquiry &) { return std::nullopt; }
  virtual Found call(const Fortran::evaluate::ProcedureRef &) { return std::nullopt; }
  // A reference to data, behind what is inside of it: the symbol that it ends with and the one that
  // it begins with, which are null where there is none.
  virtual bool reference(const Fortran::semantics::Symbol *, const Fortran::semantics::Symbol *,
                         [[maybe_unused]] int rank) {
    return false;
  }
  // An expression of an intrinsic type.
  virtual bool type(Fortran::common::TypeCategory, [[maybe_unused]] int kind) { return false; }
};

// Whether the visitor has said true.
bool walkExpression(const Fortran::evaluate::Expr<Fortran::evaluate::SomeType> &,
                    ExpressionVisitor &);

} // namespace cufc
#endif // CUFC_FRONTEND_EXPRESSION_VISITOR_H
