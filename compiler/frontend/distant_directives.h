// CUF kernel directives that stand a few assignments before their loop,
//   !$cuf kernel do
//   total = 0.0
//   do i = 1, n
// Other compilers let them count for the next loop; flang, for what follows at once. Private to
// frontend/.
#ifndef CUFC_FRONTEND_DISTANT_DIRECTIVES_H
#define CUFC_FRONTEND_DISTANT_DIRECTIVES_H

#include "frontend/flang_program.h"

namespace cufc {

class Diagnostics;

// In the parse tree, before flang looks at its meaning: such a directive moves behind the
// assignments and gets the loop. A warning says so.
void moveToLoops(FlangProgram &program, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_FRONTEND_DISTANT_DIRECTIVES_H
