// A type of another file's module has no members in an analysis; its own file has.
#include "ide/types.h"
#include "base/source_text.h"
#include "ide/declaration.h"
#include <algorithm>

namespace cufc {
namespace {

SymbolRef rowOf(const SourceFile *file, int row) {
  return row < 0 ? SymbolRef{} : SymbolRef{file, row};
}

bool isOverridable(const SymbolInfo &symbol) {
  return symbol.kind == SymbolKind::Binding || symbol.kind == SymbolKind::Generic;
}

SymbolRef ownMember(SymbolRef type, const std::string &name, bool overridable) {
  const Analysis &analysis = *type.file->analysis;
  if (type.info().ownScope < 0)
    return {};
  for (int row : analysis.scopes[static_cast<size_t>(type.info().ownScope)].symbols)
    if (const SymbolInfo &symbol = analysis.symbols[static_cast<size_t>(row)];
        lowerCase(symbol.name) == name && (!overridable || isOverridable(symbol)))
      return {type.file, row};
  return {};
}

// Calls visit for each symbol that a file of the same project declares itself.
template <typename Visit>
void forEachDeclared(const Workspace &workspace, const SourceFile *from, const Visit &visit) {
  for (const auto &[path, file] : workspace.files())
    if (file->analysis && ofOneProject(file.get(), from))
      for (size_t i = 0; i < file->analysis->symbols.size(); ++i)
        if (file->analysis->symbols[i].module.empty())
          visit(SymbolRef{file.get(), static_cast<int>(i)});
}

} // namespace

SymbolRef declaredOr(const Workspace &workspace, SymbolRef symbol) {
  SymbolRef declared = symbol ? workspace.declarationOf(symbol) : SymbolRef{};
  return declared ? declared : symbol;
}

SymbolRef typeOf(const Workspace &workspace, SymbolRef symbol) {
  symbol = declaredOr(workspace, symbol);
  if (!symbol)
    return {};
  const SymbolInfo *info = &symbol.info();
  if (info->kind == SymbolKind::DerivedType)
    return symbol;
  if (info->kind == SymbolKind::Binding && !info->specifics.empty())
    return typeOf(workspace, rowOf(symbol.file, info->specifics.front()));
  if (info->typeSymbol < 0 && info->result >= 0)
    info = &symbol.file->analysis->symbols[static_cast<size_t>(info->result)];
  return declaredOr(workspace, rowOf(symbol.file, info->typeSymbol));
}

SymbolRef parentOf(const Workspace &workspace, SymbolRef type) {
  if (!type || type.info().kind != SymbolKind::DerivedType)
    return {};
  return declaredOr(workspace, rowOf(type.file, type.info().typeSymbol));
}

std::vector<SymbolRef> extensionsOf(const Workspace &workspace, SymbolRef type, bool all) {
  std::vector<SymbolRef> result;
  if (!type || type.info().kind != SymbolKind::DerivedType)
    return result;
  std::vector<std::string> wanted{type.key()};
  for (size_t next = 0; next < wanted.size() && (all || next == 0); ++next) {
    std::string key = wanted[next];
    forEachDeclared(workspace, type.file, [&](SymbolRef symbol) {
      const SymbolInfo &info = symbol.info();
      if (info.kind != SymbolKind::DerivedType || info.typeSymbol < 0 ||
          symbol.file->keys()[static_cast<size_t>(info.typeSymbol)] != key ||
          std::find(wanted.begin(), wanted.end(), symbol.key()) != wanted.end())
        return;
      wanted.push_back(symbol.key());
      result.push_back(symbol);
    });
  }
  return result;
}

SymbolRef memberOf(const Workspace &workspace, SymbolRef type, const std::string &name) {
  std::string wanted = lowerCase(name);
  for (int depth = 0; type && depth < 64; ++depth, type = parentOf(workspace, type))
    if (SymbolRef found = ownMember(type, wanted, false))
      return found;
  return {};
}

SymbolRef typeAround(const Workspace &workspace, SymbolRef member) {
  member = declaredOr(workspace, member);
  if (!member)
    return {};
  const SymbolInfo &info = member.info();
  int owner = info.owner;
  if (info.scope >= 0) {
    const ScopeInfo &scope = member.file->analysis->scopes[static_cast<size_t>(info.scope)];
    owner = scope.kind == ScopeKind::DerivedType ? scope.symbol : -1;
  }
  SymbolRef type = declaredOr(workspace, rowOf(member.file, owner));
  return type && type.info().kind == SymbolKind::DerivedType ? type : SymbolRef{};
}

std::vector<SymbolRef> familyOf(const Workspace &workspace, SymbolRef binding) {
  SymbolRef declared = declaredOr(workspace, binding);
  std::vector<SymbolRef> result{declared};
  SymbolRef type = typeAround(workspace, declared);
  if (!type || !isOverridable(declared.info()))
    return result;
  std::string name = lowerCase(declared.info().name);
  SymbolRef first = type;
  for (int depth = 0; depth < 64; ++depth) {
    SymbolRef parent = parentOf(workspace, first);
    if (!parent)
      break;
    first = parent;
  }
  auto add = [&](SymbolRef one) {
    SymbolRef member = ownMember(one, name, true);
    if (member && member.key() != declared.key())
      result.push_back(member);
  };
  add(first);
  for (SymbolRef extension : extensionsOf(workspace, first, true))
    add(extension);
  return result;
}

std::vector<SymbolRef> bindingsTo(const Workspace &workspace, SymbolRef procedure) {
  std::vector<SymbolRef> result;
  auto add = [&](SymbolRef symbol) {
    if (std::none_of(result.begin(), result.end(),
                     [&](SymbolRef other) { return other.key() == symbol.key(); }))
      result.push_back(symbol);
  };
  forEachDeclared(workspace, procedure.file, [&](SymbolRef symbol) {
    const SymbolInfo &info = symbol.info();
    if (info.kind != SymbolKind::Binding || info.specifics.empty() || info.specifics.front() < 0 ||
        symbol.file->keys()[static_cast<size_t>(info.specifics.front())] != procedure.key())
      return;
    add(symbol);
    std::string name = lowerCase(info.name);
    SymbolRef type = parentOf(workspace, typeAround(workspace, symbol));
    for (int depth = 0; type && depth < 64; ++depth, type = parentOf(workspace, type))
      if (SymbolRef overridden = ownMember(type, name, true))
        add(overridden);
  });
  return result;
}

} // namespace cufc
