// Expressions of host code that are arguments for managed data. Private to frontend/.
#ifndef CUFC_FRONTEND_MANAGED_EXPRESSIONS_H
#define CUFC_FRONTEND_MANAGED_EXPRESSIONS_H

#include "frontend/findings.h"

namespace cufc {

// Whether a message refuses an expression as the argument for a managed dummy argument: "call
// mean(2 * x)". Its value lies in memory that the compiler allocates, and that can be managed
// (lower/managed_arguments.cpp). Numbers and logical values as arguments of procedures that are
// called by their name, by a generic one or by that of a binding; the file also lets a generic name
// find procedures that take them so.
bool isOfManagedExpression(const Finding &finding, const FlangProgram &program);

} // namespace cufc
#endif // CUFC_FRONTEND_MANAGED_EXPRESSIONS_H
