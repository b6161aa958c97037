// Texts by which gdb shows Fortran's types and values, taken apart.
#ifndef CUFLS_DEBUG_GDB_TEXT_H
#define CUFLS_DEBUG_GDB_TEXT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cufc::debug {

struct Bounds {
  int64_t lower, upper;
  int64_t extent() const { return upper < lower ? 0 : upper - lower + 1; }
};

// "real, allocatable (2,-1:1)"
struct TypeText {
  std::string element;            // "real"
  std::string attributes;         // ", allocatable"
  std::vector<Bounds> dimensions; // none for scalars, and for arrays without an extent
  bool isArray = false;
  bool isDerived = false; // "Type point"
  bool isPointer = false; // "PTR TO -> ( real )"
  std::string target;     // of a pointer
};

TypeText parseType(std::string_view text);

// The components of "( id = 4, at = (1, 2, 3), tag = 'ab, c' )" with their values; of "(1, 2)" the
// elements, without names. Nothing of a text without parentheses.
std::vector<std::pair<std::string, std::string>> partsOf(std::string_view value);

// As people write it: no blanks behind the parentheses, no backslashes before quotes, letters
// without their codes.
std::string shownValue(std::string_view value);

// The length of "character*5", 0 for other types.
int64_t characterLength(std::string_view type);

} // namespace cufc::debug
#endif // CUFLS_DEBUG_GDB_TEXT_H
