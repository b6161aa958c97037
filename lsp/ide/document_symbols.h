// The outline of a file: program units, procedures, types and what belongs to them.
#ifndef CUFLS_IDE_DOCUMENT_SYMBOLS_H
#define CUFLS_IDE_DOCUMENT_SYMBOLS_H

#include "index/workspace.h"

namespace cufc {

struct OutlineEntry {
  std::string name;
  std::string detail; // type, attributes, dummies
  SymbolKind kind = SymbolKind::Variable;
  TextRange whole, selection; // the latter lies in the former
  std::vector<OutlineEntry> children;
};

std::vector<OutlineEntry> documentSymbols(const SourceFile &file);

// "attributes(global) subroutine(a, n)", "real(4), device, allocatable (:)".
std::string detailOf(const Analysis &analysis, const SymbolInfo &symbol);

} // namespace cufc
#endif // CUFLS_IDE_DOCUMENT_SYMBOLS_H
