// Names of the whole workspace, also of files that are not open, by a few of their letters.
#ifndef CUFLS_IDE_WORKSPACE_SYMBOLS_H
#define CUFLS_IDE_WORKSPACE_SYMBOLS_H

#include "index/workspace.h"

namespace cufc {

struct NamedPlace {
  std::string name;
  SymbolKind kind = SymbolKind::Variable;
  std::string container; // "kernels", "shapes::circle"
  Location location;
};

// The best first, at most `limit`. The letters of the pattern occur in the name in this order, in
// any case; "container::name" asks for the container too. All names if it is empty.
std::vector<NamedPlace> workspaceSymbols(const Workspace &workspace, const std::string &pattern,
                                         size_t limit);

// How well a name fits, both in lower case; negative: not at all. Larger is better: the name
// itself, then names that begin so, then letters at the beginnings of words, then in a row.
int fuzzyScore(std::string_view pattern, std::string_view name);

// The names of the units and types around a symbol, "::" between them; of foreign ones the module.
std::string containerOf(const Analysis &analysis, const SymbolInfo &symbol);

} // namespace cufc
#endif // CUFLS_IDE_WORKSPACE_SYMBOLS_H
