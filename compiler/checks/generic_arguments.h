// Declared apart from the other checks, which all include check.h. Private to checks/.
#ifndef CUFC_CHECKS_GENERIC_ARGUMENTS_H
#define CUFC_CHECKS_GENERIC_ARGUMENTS_H

namespace cufc {

class CheckContext;
class Diagnostics;

// Replaces errors of flang in `diagnostics` by ones of the context.
void checkGenericArguments(CheckContext &context, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_CHECKS_GENERIC_ARGUMENTS_H
