// Function templates of flang that walk over all kinds of expressions. Each of them costs a file
// that makes it for itself seconds of compile time. Most are in flang's libraries, which make them
// for themselves: declared here, they are taken from there, and one that a later flang has no more
// is an undefined symbol when the compiler is linked, and moves to the others below. Those are made
// once, in instantiated.cpp.
#ifndef CUFC_FRONTEND_INSTANTIATED_H
#define CUFC_FRONTEND_INSTANTIATED_H

#include "flang/Evaluate/shape.h"
#include "flang/Evaluate/tools.h"

namespace Fortran::evaluate {
extern template bool IsVariable(const Expr<SomeType> &);
extern template const Symbol *IsArrayElement(const Expr<SomeType> &, bool, bool);
extern template const Symbol *GetFirstSymbol(const Expr<SomeType> &);
extern template const Symbol *UnwrapWholeSymbolDataRef(const Expr<SomeType> &);
extern template SymbolVector GetSymbolVector(const Expr<SomeType> &);
extern template std::optional<DataRef> ExtractDataRef(const Expr<SomeType> &, bool, bool);
extern template std::optional<Shape> GetShape(FoldingContext *, const Expr<SomeType> &, bool);
} // namespace Fortran::evaluate

#define CUFC_INSTANTIATED(EXTERN)                                                                  \
  namespace Fortran::evaluate {                                                                    \
  EXTERN template const Symbol *GetLastSymbol(const Expr<SomeType> &);                             \
  }

// NOLINTNEXTLINE(bugprone-macro-parentheses)
CUFC_INSTANTIATED(extern)

#endif // CUFC_FRONTEND_INSTANTIATED_H
