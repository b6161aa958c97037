// Faults of a source text that flang's parser misses or does not survive.
#ifndef CUFC_SOURCE_TEXT_CHECKS_H
#define CUFC_SOURCE_TEXT_CHECKS_H

#include "base/diagnostics.h"
#include <string>

namespace cufc {

// Reports the first of these, if any, and returns false:
//   - a NUL byte: the file is not text
//   - a conditional directive (#if, #ifdef, #ifndef) without #endif, which flang lets pass
//   - parentheses that nest so deep that the parser, which recurses, would run out of stack
bool checkText(const std::string &path, const std::string &text, bool fixedForm, int fixedColumns,
               Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_SOURCE_TEXT_CHECKS_H
