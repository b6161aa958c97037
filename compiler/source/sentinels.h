// Sentinels of comment lines that are no comments: letters of the same number take their place, so
// that no position changes.
#ifndef CUFC_SOURCE_SENTINELS_H
#define CUFC_SOURCE_SENTINELS_H

#include <cstddef>
#include <string_view>

namespace cufc {

// Whether a line begins with a comment character and `wanted` (four characters, lower case).
bool hasSentinel(std::string_view line, bool fixedForm, std::string_view wanted);

// In the characters of a file: the sentinel !@cuf, which makes a line part of the program where
// CUDA is on, becomes blanks; !pgi$ ignore_tkr becomes !dir$ ignore_tkr.
void openSentinels(char *text, std::size_t size, bool fixedForm);

} // namespace cufc
#endif // CUFC_SOURCE_SENTINELS_H
