// Names that other compilers take where the standard does not, mended by an edit of the source and
// said in a warning. Private to frontend/.
#ifndef CUFC_FRONTEND_LENIENT_NAMES_H
#define CUFC_FRONTEND_LENIENT_NAMES_H

#include "frontend/edits.h"

namespace cufc {

class Diagnostics;

// Where a USE statement without ONLY makes a name accessible twice: by a rename, and as the name of
// something else in the same module,
//   use constants, g => g_d          constants has a variable g, too
// and flang's messages say that a reference to it is ambiguous (F2023 14.2.2): edits that
// rename the other thing, too.
void renameHiddenNames(Fortran::parser::Messages &messages, const FlangProgram &program,
                       EditList &edits, Diagnostics &diagnostics);

// MODULE PROCEDURE in an interface block may name any procedure, as other compilers have it: those
// of the CUDA libraries' modules are external ones with interfaces.
void takeProceduresInGenericNames(FlangProgram &program);

} // namespace cufc
#endif // CUFC_FRONTEND_LENIENT_NAMES_H
