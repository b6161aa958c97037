// Names for symbols that hold in every file: an Analysis numbers its symbols for itself.
//
// "module/type/component" in lower case; "/name" for external procedures; what nobody else can name
// begins with the path of its file. A generic name that equals a specific procedure's ends in "()".
#ifndef CUFLS_INDEX_SYMBOL_KEY_H
#define CUFLS_INDEX_SYMBOL_KEY_H

#include "analysis/analysis.h"

namespace cufc {

// One for each symbol.
std::vector<std::string> symbolKeys(const Analysis &analysis);

} // namespace cufc
#endif // CUFLS_INDEX_SYMBOL_KEY_H
