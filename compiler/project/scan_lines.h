// The lines of a source that can tell what it defines and uses.
#ifndef CUFC_PROJECT_SCAN_LINES_H
#define CUFC_PROJECT_SCAN_LINES_H

#include <string>

namespace cufc {

// The text with all other lines empty, at their numbers: what scanModules finds in it is what it
// finds in the whole. A tenth of a usual text remains, which makes the scan of a large folder fast.
std::string linesOfInterest(const std::string &text, bool fixedForm);

} // namespace cufc
#endif // CUFC_PROJECT_SCAN_LINES_H
