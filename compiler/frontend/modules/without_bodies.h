// The text of a source without executable statements.
#ifndef CUFC_FRONTEND_WITHOUT_BODIES_H
#define CUFC_FRONTEND_WITHOUT_BODIES_H

#include "frontend/flang_program.h"

namespace cufc {

// `text`, of which `program` is the analysis, with empty lines in place of all executable
// statements: the same interfaces. `path` is the name of the file. A file that it includes and that
// has such statements stands in place of its #include or INCLUDE, without them.
std::string withoutBodies(const std::string &text, const std::string &path,
                          const FlangProgram &program);

} // namespace cufc
#endif // CUFC_FRONTEND_WITHOUT_BODIES_H
