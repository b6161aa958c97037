// The hook between flang's prescanner and its parser: the characters that the parser reads, with
// includes and macros expanded and lines joined, may be changed. Each character keeps its way back
// to the user's file. Private to frontend/.
#ifndef CUFC_FRONTEND_COOKED_TEXT_H
#define CUFC_FRONTEND_COOKED_TEXT_H

#include "frontend/flang_program.h"

namespace cufc {

// After prescanning and before parsing: spellings of CUDA Fortran that flang's parser does not take
// become ones that it takes (source/dialect_rewrite.h, type_parameters.h), then `edits` are made.
// Their lines and columns are those of the text after the first step, which is the same each time.
// False if not all of them were made.
bool editCookedText(FlangProgram &program, const std::vector<Edit> &edits);

} // namespace cufc
#endif // CUFC_FRONTEND_COOKED_TEXT_H
