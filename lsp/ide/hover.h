// What a symbol is: its declaration, memory, value and documentation.
#ifndef CUFLS_IDE_HOVER_H
#define CUFLS_IDE_HOVER_H

#include "ide/api_table.h"
#include "ide/query.h"

namespace cufc {

struct Hover {
  std::string markdown;
  TextRange range;
};

std::optional<Hover> hover(const Query &query, const ApiTable &api);

// The same text for a symbol, wherever it is asked from.
std::string documentationOf(const Workspace &workspace, SymbolRef symbol, const ApiTable &api);

// The row of the table for a symbol that no file of the workspace declares, or null.
const ApiEntry *entryOf(const Workspace &workspace, SymbolRef symbol, const ApiTable &api);

} // namespace cufc
#endif // CUFLS_IDE_HOVER_H
