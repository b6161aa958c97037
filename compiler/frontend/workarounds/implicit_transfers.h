// Assignments of host code with device data in an expression. For frontend/ and checks/.
#ifndef CUFC_FRONTEND_IMPLICIT_TRANSFERS_H
#define CUFC_FRONTEND_IMPLICIT_TRANSFERS_H

#include "flang/Evaluate/expression.h"
#include "flang/Evaluate/type.h"
#include "flang/Semantics/symbol.h"

namespace cufc {

using AnyExpression = Fortran::evaluate::Expr<Fortran::evaluate::SomeType>;

// Whether an expression has device data beside data of the host or constants, as flang sees it.
bool mixesHostAndDevice(const AnyExpression &expression);

// The variables that only kernels can use and of which the expression reads more than one element:
// an element or a scalar is one value, which the host reads as it reads its own.
Fortran::semantics::UnorderedSymbolSet deviceArraysIn(const AnyExpression &expression);

} // namespace cufc
#endif // CUFC_FRONTEND_IMPLICIT_TRANSFERS_H
