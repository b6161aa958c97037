// What is one thing for the user and several rows or keys in the index: a procedure with its
// interface bodies, a dummy there and there, a binding with what overrides it, a type with the
// component that its extensions have of it.
#ifndef CUFLS_IDE_SAME_SYMBOL_H
#define CUFLS_IDE_SAME_SYMBOL_H

#include "index/workspace.h"

namespace cufc {

bool isInterfaceBody(SymbolRef symbol);

// The rows that declare a symbol: a procedure's body first, then interfaces for it. Empty for
// intrinsics and for modules without a source in the workspace.
std::vector<SymbolRef> declarationsOf(const Workspace &workspace, SymbolRef symbol);

// The keys of all occurrences that name it, its own first.
std::vector<std::string> keysOf(const Workspace &workspace, SymbolRef symbol);

} // namespace cufc
#endif // CUFLS_IDE_SAME_SYMBOL_H
