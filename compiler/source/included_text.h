// Texts that others include: a name that no source has (*.inc, *.h) and no program unit at the
// beginning.
#ifndef CUFC_SOURCE_INCLUDED_TEXT_H
#define CUFC_SOURCE_INCLUDED_TEXT_H

#include <string>

namespace cufc {

// What such a text lacks when it is read alone stands where it is included.
bool isIncludedText(const std::string &path, const std::string &text);

} // namespace cufc
#endif // CUFC_SOURCE_INCLUDED_TEXT_H
