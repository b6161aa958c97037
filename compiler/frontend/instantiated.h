// Function templates of flang that walk over all kinds of expressions: made once, in
// instantiated.cpp. Each of them costs a file that makes it for itself seconds of compile time.
#ifndef CUFC_FRONTEND_INSTANTIATED_H
#define CUFC_FRONTEND_INSTANTIATED_H

#include "flang/Evaluate/shape.h"
#include "flang/Evaluate/tools.h"

#define CUFC_INSTANTIATED(EXTERN)                                                                  \
  namespace Fortran::evaluate {                                                                    \
  EXTERN template bool IsVariable(const Expr<SomeType> &);                                         \
  EXTERN template const Symbol *IsArrayElement(const Expr<SomeType> &, bool, bool);                \
  EXTERN template const Symbol *GetFirstSymbol(const Expr<SomeType> &);                            \
  EXTERN template const Symbol *GetLastSymbol(const Expr<SomeType> &);                             \
  EXTERN template const Symbol *UnwrapWholeSymbolDataRef(const Expr<SomeType> &);                  \
  EXTERN template SymbolVector GetSymbolVector(const Expr<SomeType> &);                            \
  EXTERN template std::optional<DataRef> ExtractDataRef(const Expr<SomeType> &, bool, bool);       \
  EXTERN template std::optional<Shape> GetShape(FoldingContext &, const Expr<SomeType> &, bool);   \
  }

// NOLINTNEXTLINE(bugprone-macro-parentheses)
CUFC_INSTANTIATED(extern)

#endif // CUFC_FRONTEND_INSTANTIATED_H
