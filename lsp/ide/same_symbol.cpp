// See same_symbol.h. From one key to the next: interfaces name bodies, modules name external
// procedures that they describe.
#include "ide/same_symbol.h"
#include "base/source_text.h"
#include "ide/declaration.h"
#include "ide/types.h"
#include <algorithm>

namespace cufc {
namespace {

class Rows {
public:
  Rows(const Workspace &workspace, SymbolRef symbol) : workspace(workspace), from(symbol.file) {}

  void addKey(const std::string &key) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end())
      return;
    keys.push_back(key);
    for (const SourceFile *file : workspace.filesWith(key, from))
      for (int row : file->symbolsOf(key))
        if (const SymbolInfo &info = file->analysis->symbols[static_cast<size_t>(row)];
            info.declared.file >= 0 && info.module.empty())
          list.push_back({file, row});
  }

  std::vector<SymbolRef> list;
  std::vector<std::string> keys;

private:
  const Workspace &workspace;
  const SourceFile *from;
};

const ScopeInfo *scopeRow(const SourceFile &file, int scope) {
  return scope < 0 ? nullptr : &file.analysis->scopes[static_cast<size_t>(scope)];
}

bool isBody(SymbolRef symbol) { return symbol.info().ownScope >= 0 && !isInterfaceBody(symbol); }

// The module in whose interface block an external procedure is described, or "": users of the
// module know the procedure as one of it.
std::string moduleWithInterface(SymbolRef symbol) {
  const ScopeInfo *scope = scopeRow(*symbol.file, symbol.info().scope);
  if (!isInterfaceBody(symbol) || !scope || scope->kind != ScopeKind::Module || scope->symbol < 0)
    return {};
  return lowerCase(symbol.file->analysis->symbols[static_cast<size_t>(scope->symbol)].name);
}

// The procedure that a dummy or a result belongs to.
SymbolRef procedureAround(SymbolRef symbol) {
  const SymbolInfo &info = symbol.info();
  int owner = info.dummyOf >= 0 ? info.dummyOf : info.owner;
  if (const ScopeInfo *scope = scopeRow(*symbol.file, info.scope); owner < 0 && scope)
    owner = scope->symbol;
  if (owner < 0)
    return {};
  const SymbolInfo &procedure = symbol.file->analysis->symbols[static_cast<size_t>(owner)];
  bool part = info.dummyOf >= 0 || procedure.moduleInterface >= 0 ||
              (procedure.result >= 0 && procedure.result == symbol.symbol);
  return part && isProcedure(procedure) ? SymbolRef{symbol.file, owner} : SymbolRef{};
}

void addProcedure(const Workspace &workspace, SymbolRef symbol, Rows &rows) {
  rows.addKey(symbol.key());
  std::string name = lowerCase(symbol.info().name);
  if (rows.list.empty() && !symbol.info().module.empty())
    if (const SourceFile *file = workspace.moduleFile(symbol.info().module, symbol.file))
      for (int row : file->symbolsOf("/" + file->keyName(name)))
        if (isInterfaceBody({file, row}))
          rows.addKey("/" + file->keyName(name));
  for (size_t i = 0; i < rows.list.size() && i < 64; ++i) {
    for (SymbolRef same : workspace.sameProcedure(rows.list[i]))
      rows.addKey(same.key());
    if (std::string module = moduleWithInterface(rows.list[i]); !module.empty())
      rows.addKey(rows.list[i].file->keyName(module) + "/" + name);
  }
}

} // namespace

bool isInterfaceBody(SymbolRef symbol) {
  const ScopeInfo *own = scopeRow(*symbol.file, symbol.info().ownScope);
  return own && own->kind == ScopeKind::Interface;
}

std::vector<SymbolRef> declarationsOf(const Workspace &workspace, SymbolRef symbol) {
  if (!symbol || symbol.info().intrinsic)
    return {};
  Rows rows(workspace, symbol);
  if (isProcedure(symbol.info()))
    addProcedure(workspace, symbol, rows);
  else
    rows.addKey(symbol.key());
  if (rows.list.empty() && symbol.info().declared.file >= 0)
    rows.list.push_back(symbol);
  std::vector<SymbolRef> result;
  for (bool bodies : {true, false})
    for (SymbolRef row : rows.list)
      if (isBody(row) == bodies)
        result.push_back(row);
  return result;
}

std::vector<std::string> keysOf(const Workspace &workspace, SymbolRef symbol) {
  Rows rows(workspace, symbol);
  if (symbol.info().intrinsic)
    return {symbol.key()};
  SymbolRef declared = declaredOr(workspace, symbol);
  switch (symbol.info().kind) {
  case SymbolKind::Subroutine:
  case SymbolKind::Function:
    addProcedure(workspace, symbol, rows);
    break;
  case SymbolKind::Binding:
  case SymbolKind::Generic:
    for (SymbolRef binding : familyOf(workspace, symbol))
      rows.keys.push_back(binding.key());
    break;
  case SymbolKind::DerivedType:
    rows.keys = {symbol.key()};
    for (SymbolRef extension : extensionsOf(workspace, declared))
      rows.keys.push_back(extension.key() + "/" + lowerCase(declared.info().name));
    break;
  default:
    rows.keys = {symbol.key()};
    if (SymbolRef procedure = procedureAround(symbol))
      for (const std::string &key : keysOf(workspace, procedure))
        if (std::string same = key + "/" + lowerCase(symbol.info().name); same != symbol.key())
          rows.keys.push_back(same);
  }
  return std::move(rows.keys);
}

} // namespace cufc
