// Masks of DO CONCURRENT. Private to frontend/.
#ifndef CUFC_FRONTEND_CONCURRENT_MASKS_H
#define CUFC_FRONTEND_CONCURRENT_MASKS_H

#include "flang/Parser/parse-tree.h"
#include <vector>

namespace cufc {

// Whether each iteration may evaluate the mask for itself, although Fortran evaluates it for all
// iterations before any of them (F2018, 11.1.7.4.2): nothing that it reads is changed by another
// iteration.
bool canMaskEachIteration(const Fortran::parser::Expr &mask, const Fortran::parser::Block &body,
                          const std::vector<Fortran::parser::Name> &indices);

} // namespace cufc
#endif // CUFC_FRONTEND_CONCURRENT_MASKS_H
