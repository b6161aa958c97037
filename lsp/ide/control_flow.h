// The keywords that belong together: of a block its beginning, branches and end, of a loop also
// EXIT and CYCLE, of a procedure also RETURN. By a scan of the text as it is, so that it works on
// broken code.
#ifndef CUFLS_IDE_CONTROL_FLOW_H
#define CUFLS_IDE_CONTROL_FLOW_H

#include "index/workspace.h"

namespace cufc {

// Empty if no such keyword stands at the position.
std::vector<TextRange> blockKeywords(const SourceFile &file, TextPosition position);

} // namespace cufc
#endif // CUFLS_IDE_CONTROL_FLOW_H
