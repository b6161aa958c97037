// Names for symbols that hold in every file: an Analysis numbers its symbols for itself.
//
// "module/type/component" in lower case; "/name" for external procedures and modules, "//name" for
// COMMON blocks; what nobody else can name begins with the path of its file. A generic name that
// equals a specific procedure's ends in "()". A symbol belongs to the file that defines it: where
// several files define modules or external procedures of one name, that has the number of the file
// that is meant behind it: "module@3/type".
#ifndef CUFLS_INDEX_SYMBOL_KEY_H
#define CUFLS_INDEX_SYMBOL_KEY_H

#include "analysis/analysis.h"
#include <functional>

namespace cufc {

// What stands behind the name of a module or external procedure, in lower case, as the file means
// it: "@3", or nothing.
using Mark = std::function<std::string(const std::string &name)>;

// One for each symbol.
std::vector<std::string> symbolKeys(const Analysis &analysis, const Mark &mark);

// Of the module in a key, which is empty for what is in none: its name, and with its mark.
std::string moduleOfKey(const std::string &key);
std::string markedModuleOfKey(const std::string &key);

} // namespace cufc
#endif // CUFLS_INDEX_SYMBOL_KEY_H
