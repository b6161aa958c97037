// Declared apart from the other checks, which all include check.h. Private to checks/.
#ifndef CUFC_CHECKS_LOST_VALUES_H
#define CUFC_CHECKS_LOST_VALUES_H

namespace cufc {

class CheckContext;

// Warns of values that a CUF kernel gives to scalars of the host and that do not come back.
void checkLostValues(CheckContext &context);

} // namespace cufc
#endif // CUFC_CHECKS_LOST_VALUES_H
