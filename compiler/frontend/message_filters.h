// Filters of flang's messages when they have codes: what only follows from something else. Private
// to frontend/.
#ifndef CUFC_FRONTEND_MESSAGE_FILTERS_H
#define CUFC_FRONTEND_MESSAGE_FILTERS_H

#include "frontend/flang_program.h"

namespace cufc {

// A diagnostic with the scope that it stands in.
struct Found {
  Diagnostic diagnostic;
  const Fortran::semantics::Scope *scope;
};

// Leaves out what lacks because a module or a type is missing, and reports a name that is not
// declared once in each program unit. With `partial`, modules lack names that belong to ones that
// are not there.
void dropFollowers(std::vector<Found> &found, bool partial, DroppedMessages &dropped);

// A module that is not used is told of once in a unit; what follows from another mistake in the
// same line goes.
void dropRepeatedMistakes(std::vector<Diagnostic> &list, const FlangProgram &program);

} // namespace cufc
#endif // CUFC_FRONTEND_MESSAGE_FILTERS_H
