// Follows the scopes of the analysis. Of procedures only what is worth a line in an outline:
// contained procedures, types, constants and shared arrays, not each local variable.
#include "ide/document_symbols.h"
#include "ide/declaration.h"
#include <algorithm>

namespace cufc {
namespace {

class Outline {
public:
  explicit Outline(const SourceFile &file) : file(file), analysis(*file.analysis) {}

  std::vector<OutlineEntry> all() const {
    std::vector<OutlineEntry> result = entriesOf(0, 0);
    // A main program without a PROGRAM statement has no line of its own.
    for (size_t i = 1; i < analysis.scopes.size(); ++i) {
      const ScopeInfo &scope = analysis.scopes[i];
      if (scope.kind != ScopeKind::MainProgram || hasName(scope.symbol))
        continue;
      for (OutlineEntry &entry : entriesOf(static_cast<int>(i), 1))
        result.push_back(std::move(entry));
    }
    sort(result);
    return result;
  }

private:
  bool hasName(int row) const {
    return row >= 0 && analysis.symbols[static_cast<size_t>(row)].declared.file == 0;
  }

  static void sort(std::vector<OutlineEntry> &list) {
    std::sort(list.begin(), list.end(), [](const OutlineEntry &a, const OutlineEntry &b) {
      return a.selection.begin < b.selection.begin;
    });
  }

  bool isShown(const SymbolInfo &symbol, const ScopeInfo &scope) const {
    if (symbol.declared.file != 0 || !symbol.module.empty() || symbol.intrinsic)
      return false;
    switch (symbol.kind) {
    case SymbolKind::Construct:
    case SymbolKind::Label:
      return false;
    case SymbolKind::Variable:
      return symbol.dummyOf < 0 && !symbol.implicit &&
             (scope.kind == ScopeKind::Module || scope.kind == ScopeKind::Submodule ||
              scope.kind == ScopeKind::MainProgram ||
              (symbol.dataAttributes & data_attribute::Shared) != 0);
    case SymbolKind::Constant:
      return scope.kind != ScopeKind::Block && scope.kind != ScopeKind::Construct;
    case SymbolKind::Component: // the parent of a type is none that it declares
      return !(symbol.typeSymbol >= 0 && scope.symbol >= 0 &&
               analysis.symbols[static_cast<size_t>(scope.symbol)].typeSymbol ==
                   symbol.typeSymbol &&
               symbol.name == analysis.symbols[static_cast<size_t>(symbol.typeSymbol)].name);
    case SymbolKind::Subroutine:
    case SymbolKind::Function: // not those that are only called
      return symbol.ownScope >= 0 && symbol.dummyOf < 0;
    default:
      return true;
    }
  }

  std::vector<OutlineEntry> entriesOf(int scopeRow, int depth) const {
    std::vector<OutlineEntry> result;
    const ScopeInfo &scope = analysis.scopes[static_cast<size_t>(scopeRow)];
    for (int row : scope.symbols) {
      const SymbolInfo &symbol = analysis.symbols[static_cast<size_t>(row)];
      if (!isShown(symbol, scope))
        continue;
      std::optional<TextRange> selection = file.now(symbol.declared);
      if (!selection)
        continue;
      OutlineEntry entry{
          symbol.name, detailOf(analysis, symbol), symbol.kind, *selection, *selection, {}};
      if (std::optional<TextRange> whole = file.now(symbol.definition)) {
        entry.whole.begin = std::min(entry.whole.begin, whole->begin);
        entry.whole.end = std::max(entry.whole.end, whole->end);
      }
      if (symbol.ownScope > scopeRow && depth < 32)
        entry.children = entriesOf(symbol.ownScope, depth + 1);
      result.push_back(std::move(entry));
    }
    sort(result);
    return result;
  }

  const SourceFile &file;
  const Analysis &analysis;
};

} // namespace

std::string detailOf(const Analysis &analysis, const SymbolInfo &symbol) {
  std::string text;
  switch (symbol.kind) {
  case SymbolKind::Subroutine:
  case SymbolKind::Function: {
    text = declarationOf(analysis, symbol);
    if (size_t name = text.find(" " + symbol.name + "("); name != std::string::npos)
      text.erase(name, symbol.name.size() + 1);
    return text;
  }
  case SymbolKind::Variable:
  case SymbolKind::Constant:
  case SymbolKind::Component:
    text = symbol.type;
    for (const std::string &attribute : symbol.attributes)
      text += (text.empty() ? "" : ", ") + attribute;
    if (!symbol.shape.empty())
      text += " " + symbol.shape;
    return text;
  case SymbolKind::DerivedType:
    text = declarationOf(analysis, symbol);
    if (size_t name = text.find(" :: "); name != std::string::npos)
      text.erase(name);
    return text;
  case SymbolKind::Generic:
    return "interface";
  case SymbolKind::Binding:
    return declarationOf(analysis, symbol);
  case SymbolKind::Program:
    return "program";
  case SymbolKind::Module:
    return "module";
  case SymbolKind::Submodule:
    return "submodule";
  case SymbolKind::BlockData:
    return "block data";
  case SymbolKind::Namelist:
    return "namelist";
  case SymbolKind::CommonBlock:
    return "common";
  case SymbolKind::Construct:
  case SymbolKind::Label:
    break;
  }
  return text;
}

std::vector<OutlineEntry> documentSymbols(const SourceFile &file) {
  if (!file.analysis || file.analysis->scopes.empty())
    return {};
  return Outline(file).all();
}

} // namespace cufc
