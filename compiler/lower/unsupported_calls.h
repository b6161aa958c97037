// Calls of run-time libraries that device code cannot make, in the words of the source. Private to
// lower/.
#ifndef CUFC_LOWER_UNSUPPORTED_CALLS_H
#define CUFC_LOWER_UNSUPPORTED_CALLS_H

#include "flang/Optimizer/Dialect/FIROps.h"
#include <string>

namespace cufc {

// "RANDOM_NUMBER" for _FortranARandomNumber, a row of tables/runtime_names.def. A symbol of flang's
// run-time library that has none gives the rest of its name, others nothing.
std::string sourceName(llvm::StringRef symbol);

// Whether a call is part of an input or output statement that another call begins.
bool continuesStatement(llvm::StringRef symbol);

// What a call adds to PRINT that device code cannot print; empty if it can, or is no part of PRINT.
std::string unprintablePart(fir::CallOp call);

} // namespace cufc
#endif // CUFC_LOWER_UNSUPPORTED_CALLS_H
