// See symbol_key.h.
#include "index/symbol_key.h"
#include "base/source_text.h"
#include <algorithm>
#include <unordered_map>

namespace cufc {
namespace {

class Keys {
public:
  Keys(const Analysis &analysis, const Mark &mark)
      : analysis(analysis), mark(mark), scopeKeys(analysis.scopes.size()) {
    for (size_t i = 0; i < scopeKeys.size(); ++i)
      scopeKeys[i] = scopeKey(i);
  }

  std::string of(const SymbolInfo &symbol) {
    std::string name = lowerCase(symbol.name) + (symbol.kind == SymbolKind::Generic ? "()" : "");
    if (symbol.intrinsic)
      return "intrinsic//" + name;
    if (!symbol.module.empty()) {
      if (symbol.owner < 0 || symbol.owner >= static_cast<int>(analysis.symbols.size()))
        return marked(lowerCase(symbol.module)) + "/" + name;
      return of(analysis.symbols[static_cast<size_t>(symbol.owner)]) + "/" + name;
    }
    if (symbol.kind == SymbolKind::CommonBlock)
      return "//" + name;
    if (isGlobal(symbol))
      return "/" + marked(name);
    if (symbol.scope < 0)
      return fileKey() + "/" + name;
    return scopeKeys[static_cast<size_t>(symbol.scope)] + "/" + name;
  }

private:
  const std::string &marked(const std::string &name) {
    auto [place, isNew] = markedNames.try_emplace(name);
    if (isNew)
      place->second = name + mark(name);
    return place->second;
  }

  std::string fileKey() const {
    return analysis.files.empty() ? "?" : "file:" + analysis.files.front();
  }

  // Program units other than main programs; external procedures that are only called.
  bool isGlobal(const SymbolInfo &symbol) const {
    bool procedure = symbol.kind == SymbolKind::Subroutine || symbol.kind == SymbolKind::Function;
    bool unit =
        procedure || symbol.kind == SymbolKind::Module || symbol.kind == SymbolKind::BlockData;
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
  std::string scopeKey(size_t index) {
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
      return marked(name);
    if (scope.kind == ScopeKind::Submodule)
      return fileKey() + "/" + name;
    return isGlobal(*symbol) ? "/" + marked(name) : parent + "/" + name;
  }

  const Analysis &analysis;
  const Mark &mark;
  std::unordered_map<std::string, std::string> markedNames;
  std::vector<std::string> scopeKeys;
};

} // namespace

std::vector<std::string> symbolKeys(const Analysis &analysis, const Mark &mark) {
  Keys keys(analysis, mark);
  std::vector<std::string> result;
  result.reserve(analysis.symbols.size());
  for (const SymbolInfo &symbol : analysis.symbols)
    result.push_back(keys.of(symbol));
  return result;
}

std::string markedModuleOfKey(const std::string &key) { return key.substr(0, key.find('/')); }

std::string moduleOfKey(const std::string &key) {
  return key.substr(0, std::min(key.find('/'), key.find('@')));
}

} // namespace cufc
