// Derived types of the whole workspace: parents, extensions, members, and which bindings are one
// because an extended type overrides its parent's.
#ifndef CUFLS_IDE_TYPES_H
#define CUFLS_IDE_TYPES_H

#include "index/workspace.h"

namespace cufc {

// Where a type is declared, if that is known, or the row that was given.
SymbolRef declaredOr(const Workspace &workspace, SymbolRef symbol);

// The derived type of a variable, a component, a function's result or a function binding; of a type
// itself. Nothing for intrinsic types.
SymbolRef typeOf(const Workspace &workspace, SymbolRef symbol);

SymbolRef parentOf(const Workspace &workspace, SymbolRef type);
// Those that extend it directly, or all of them.
std::vector<SymbolRef> extensionsOf(const Workspace &workspace, SymbolRef type, bool all = false);

// A component, binding or generic of a type by its name; inherited ones too.
SymbolRef memberOf(const Workspace &workspace, SymbolRef type, const std::string &name);

// The type that a component, binding or generic belongs to; nothing for other symbols.
SymbolRef typeAround(const Workspace &workspace, SymbolRef member);

// A binding (or generic) of a type with those that it overrides and that override it, itself first.
std::vector<SymbolRef> familyOf(const Workspace &workspace, SymbolRef binding);
// The bindings that run a procedure, and those that may: what they override.
std::vector<SymbolRef> bindingsTo(const Workspace &workspace, SymbolRef procedure);

} // namespace cufc
#endif // CUFLS_IDE_TYPES_H
