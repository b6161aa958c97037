// See symbol_key.h.
#include "index/symbol_key.h"
#include "base/source_text.h"
#include <algorithm>

namespace cufc {
namespace {

class Keys {
public:
  explicit Keys(const Analysis &analysis) : analysis(analysis), scopeKeys(analysis.scopes.size()) {
    for (size_t i = 0; i < scopeKeys.size(); ++i)
      scopeKeys[i] = scopeKey(i);
  }

  std::string of(const SymbolInfo &symbol) const {
    std::string name = lowerCase(symbol.name) + (symbol.kind == SymbolKind::Generic ? "()" : "");
    if (symbol.intrinsic)
      return "intrinsic//" + name;
    if (!symbol.module.empty()) {
      if (symbol.owner < 0 || symbol.owner >= static_cast<int>(analysis.symbols.size()))
        return lowerCase(symbol.module) + "/" + name;
      return of(analysis.symbols[static_cast<size_t>(symbol.owner)]) + "/" + name;
    }
    if (isGlobal(symbol))
      return "/" + name;
    if (symbol.scope < 0)
      return fileKey() + "/" + name;
    return scopeKeys[static_cast<size_t>(symbol.scope)] + "/" + name;
  }

private:
  std::string fileKey() const {
    return analysis.files.empty() ? "?" : "file:" + analysis.files.front();
  }

  // Program units other than main programs; external procedures that are only called.
  bool isGlobal(const SymbolInfo &symbol) const {
    bool procedure = symbol.kind == SymbolKind::Subroutine || symbol.kind == SymbolKind::Function;
    bool unit = procedure || symbol.kind == SymbolKind::Module ||
                symbol.kind == SymbolKind::BlockData || symbol.kind == SymbolKind::CommonBlock;
    return unit && (symbol.scope == 0 || (symbol.scope < 0 && symbol.dummyOf < 0) ||
                    (procedure && isExternalStatement(symbol)) ||
                    (procedure && isInterfaceOfExternal(symbol)));
  }

  // EXTERNAL or PROCEDURE() :: in a scope that does not define the procedure.
  bool isExternalStatement(const SymbolInfo &symbol) const {
    if (symbol.ownScope >= 0 || symbol.dummyOf >= 0 || symbol.scope < 0)
      return false;
    ScopeKind around = analysis.scopes[static_cast<size_t>(symbol.scope)].kind;
    return around == ScopeKind::MainProgram || around == ScopeKind::Subprogram ||
           around == ScopeKind::Block;
  }

  // A procedure that an interface body in no module's procedure declares is an external one.
  bool isInterfaceOfExternal(const SymbolInfo &symbol) const {
    if (symbol.ownScope < 0 || symbol.dummyOf >= 0)
      return false;
    const ScopeInfo &own = analysis.scopes[static_cast<size_t>(symbol.ownScope)];
    return own.kind == ScopeKind::Interface && symbol.moduleInterface < 0 &&
           std::find(symbol.attributes.begin(), symbol.attributes.end(), "module") ==
               symbol.attributes.end();
  }

  // Parents come before their children.
  std::string scopeKey(size_t index) const {
    const ScopeInfo &scope = analysis.scopes[index];
    if (scope.parent < 0)
      return fileKey();
    std::string parent = scopeKeys[static_cast<size_t>(scope.parent)];
    const SymbolInfo *symbol =
        scope.symbol < 0 ? nullptr : &analysis.symbols[static_cast<size_t>(scope.symbol)];
    if (!symbol || scope.kind == ScopeKind::Block || scope.kind == ScopeKind::Construct)
      return parent + "/" + std::to_string(index);
    std::string name = lowerCase(symbol->name);
    if (scope.kind == ScopeKind::Module)
      return name;
    if (scope.kind == ScopeKind::Submodule)
      return fileKey() + "/" + name;
    return isGlobal(*symbol) ? "/" + name : parent + "/" + name;
  }

  const Analysis &analysis;
  std::vector<std::string> scopeKeys;
};

} // namespace

std::vector<std::string> symbolKeys(const Analysis &analysis) {
  Keys keys(analysis);
  std::vector<std::string> result;
  result.reserve(analysis.symbols.size());
  for (const SymbolInfo &symbol : analysis.symbols)
    result.push_back(keys.of(symbol));
  return result;
}

} // namespace cufc
