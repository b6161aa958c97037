// What becomes of the findings of the checks and of flang's messages beside them: the second half
// of the way of a message, after frontend/messages.cpp. Private to checks/.
#ifndef CUFC_CHECKS_CHECK_FILTERS_H
#define CUFC_CHECKS_CHECK_FILTERS_H

#include "checks/check.h"

namespace cufc {

// Adds to `diagnostics`, which the front end has filled, what the checks have found and what flang
// said that they do not say better; drops what only follows from something else. Every filter
// records what it drops (base/dropped_messages.h). `hazards`: hints were looked for.
void filterMessages(CheckContext &context, Program &program, const std::vector<Diagnostic> &found,
                    bool hazards, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_CHECKS_CHECK_FILTERS_H
