// Expressions that other compilers take where the standard does not, changed in flang's tree and
// told of in a warning. In the tree they are found wherever they stand: in include files and in
// expansions of macros, too. Private to frontend/.
#ifndef CUFC_FRONTEND_LENIENT_EXPRESSIONS_H
#define CUFC_FRONTEND_LENIENT_EXPRESSIONS_H

#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/semantics.h"

namespace cufc {

// Array constructors of literals alone, before names are resolved: declarations have them, whose
// values flang computes then. `text` is what flang has parsed.
void typeConstructorsOfLiterals(const Fortran::parser::Program &program,
                                Fortran::semantics::SemanticsContext &context,
                                std::string_view text);

// When names are resolved and expressions are not analysed yet:
//   - an array constructor without a type, whose first value has a type that holds those of the
//     others: [1.0, 2, n]. Its type is that of the first value.
//   - a == b and a /= b of logical values, for which there is no operator of the program's own;
//   - a real bound of an implied DO, which counts as INT of it, as in [(i, i = 1, n / 2.0)];
//   - sizeof(t) of a derived type (sizes_of_types.h).
void adaptExpressions(const Fortran::parser::Program &program,
                      Fortran::semantics::SemanticsContext &context);

} // namespace cufc
#endif // CUFC_FRONTEND_LENIENT_EXPRESSIONS_H
