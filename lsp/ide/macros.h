// Macros of the preprocessor, which the analysis does not know: by the lines that define them.
#ifndef CUFLS_IDE_MACROS_H
#define CUFLS_IDE_MACROS_H

#include "ide/query.h"

namespace cufc {

// Where the macro that the cursor names is defined: the last #define above it in the file,
// otherwise one in a file that it includes.
std::optional<Location> macroAt(const Query &query);
// Its #define line with what continues it, or empty.
std::string macroText(const Query &query);

} // namespace cufc
#endif // CUFLS_IDE_MACROS_H
