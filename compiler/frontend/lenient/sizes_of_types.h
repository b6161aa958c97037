// sizeof(t) with the name of a derived type, which nvfortran takes as the size of its variables.
// Private to frontend/.
#ifndef CUFC_FRONTEND_SIZES_OF_TYPES_H
#define CUFC_FRONTEND_SIZES_OF_TYPES_H

#include "flang/Parser/parse-tree.h"

namespace cufc {

// Whether such a call may be in a piece of text, which costs a search of the text.
bool mayAskForSizes(Fortran::parser::CharBlock text);

// Puts the number in the place of the call, if the expression is one. Names are resolved.
void takeSizeOfType(const Fortran::parser::Expr &expression);

// The same for all calls in an expression of a declaration.
void takeSizesOfTypes(const Fortran::parser::Expr &expression);

} // namespace cufc
#endif // CUFC_FRONTEND_SIZES_OF_TYPES_H
