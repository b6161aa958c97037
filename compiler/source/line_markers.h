// #line and what preprocessors write for it: `#line 5 "name"` and `# 5 "name" 1`. The name is a
// literal of C (GCC's manual, "Preprocessor Output").
#ifndef CUFC_SOURCE_LINE_MARKERS_H
#define CUFC_SOURCE_LINE_MARKERS_H

#include <string>
#include <string_view>
#include <vector>

namespace cufc {

// Between the quotes of a marker. A quotation mark is written as its number, so that a reader of
// Fortran finds the end of the literal, too, and so is the asterisk of /*, with which a comment
// would begin.
std::string markedName(std::string_view path);
// The path that stands between the quotes of a marker.
std::string nameInMarker(std::string_view written);

// flang doubles each backslash of a literal before anything else sees it.
std::string withSingleBackslashes(std::string_view text);

// The name in a literal of Fortran, without its quotes: two of them inside are one.
std::string nameInLiteral(std::string_view written, char quote);

// Preprocessed text in which flang has written `#line "path" 5`, with paths as they are, as others
// read it: `#line 5 "name"`. `paths` are those that it may have.
std::string withReadableMarkers(std::string_view text, const std::vector<std::string> &paths);

} // namespace cufc
#endif // CUFC_SOURCE_LINE_MARKERS_H
