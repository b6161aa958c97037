// Places for edits of the source, from places in flang's text. Private to frontend/.
#ifndef CUFC_FRONTEND_EDITS_H
#define CUFC_FRONTEND_EDITS_H

#include "frontend/flang_program.h"
#include <optional>

namespace cufc {

// An insertion `offset` columns after the character of flang's text at `place`. None if that
// character is not of the source file at `path`, but of an included one.
std::optional<Edit> insertion(const FlangProgram &program, const std::string &path,
                              const char *place, int offset, std::string text);

} // namespace cufc
#endif // CUFC_FRONTEND_EDITS_H
