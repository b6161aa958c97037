// The rules are those of the language (Fortran 2018, 19.5): a scope's own names hide those of its
// hosts; what USE brings belongs to the scope that has the statement.
#include "ide/visible_names.h"
#include "base/source_text.h"
#include "ide/lookup.h"
#include "source/blocks.h"
#include "source/statements.h"
#include <algorithm>
#include <set>

namespace cufc {
namespace {

const ScopeInfo *scopeOf(const Analysis &analysis, int scope) {
  return scope < 0 || scope >= static_cast<int>(analysis.scopes.size())
             ? nullptr
             : &analysis.scopes[static_cast<size_t>(scope)];
}

const SymbolInfo *symbolOf(const Analysis &analysis, int symbol) {
  return symbol < 0 || symbol >= static_cast<int>(analysis.symbols.size())
             ? nullptr
             : &analysis.symbols[static_cast<size_t>(symbol)];
}

const ScopeInfo *moduleScope(const Analysis &analysis, const std::string &module) {
  for (const ScopeInfo &scope : analysis.scopes)
    if (const SymbolInfo *symbol = symbolOf(analysis, scope.symbol);
        scope.kind == ScopeKind::Module && symbol && lowerCase(symbol->name) == module)
      return &scope;
  return nullptr;
}

// Whether a module passes on what it uses. An analysis does not say what PRIVATE without names
// does, but then most of what the module declares is not exported.
bool passesOn(const Analysis &analysis, const ScopeInfo &scope) {
  int exported = 0, others = 0;
  for (int number : scope.symbols)
    if (const SymbolInfo *symbol = symbolOf(analysis, number))
      ++(symbol->exported ? exported : others);
  return exported >= others;
}

using VisitExport = std::function<void(const std::string &, SymbolRef)>;

void exportsOf(const Workspace &workspace, const SourceFile &from, const std::string &module,
               const VisitExport &visit, std::set<std::string> &seen) {
  if (!seen.insert(module).second)
    return;
  const SourceFile *file = workspace.moduleFile(module, &from);
  const ScopeInfo *scope = file && file->analysis ? moduleScope(*file->analysis, module) : nullptr;
  if (!scope)
    return;
  for (int number : scope->symbols)
    if (const SymbolInfo *symbol = symbolOf(*file->analysis, number); symbol && symbol->exported)
      visit(symbol->name, {file, number});
  if (!passesOn(*file->analysis, *scope))
    return;
  for (const UseInfo &use : scope->uses)
    exportsOf(
        workspace, from, lowerCase(use.module),
        [&](const std::string &name, SymbolRef symbol) {
          auto same = [&](const std::string &n) { return lowerCase(n) == lowerCase(name); };
          if (!use.only || std::any_of(use.names.begin(), use.names.end(), same))
            visit(name, symbol);
        },
        seen);
}

bool isUnitScope(const ScopeInfo &scope) {
  return scope.kind == ScopeKind::Subprogram || scope.kind == ScopeKind::MainProgram ||
         scope.kind == ScopeKind::Module || scope.kind == ScopeKind::Submodule;
}

// Whether no unit begins or ends in a piece of text.
bool withoutUnits(const SourceFile &file, const TextRange &range) {
  bool found = false;
  std::string text(file.document.slice(range));
  const SourceReading &reading = file.reading;
  forEachStatement(text, reading.fixedForm, reading.columns, [&](const Statement &statement) {
    StatementRole role = roleOf(statement.text, false);
    bool plainEnd = role.kind == StatementRole::Closes && role.block == Block::None;
    found |= plainEnd || (role.kind != StatementRole::Other && isUnit(role.block));
  });
  return !found;
}

// A unit without its END statement ends for the analysis where its last good statement does: then
// the cursor behind that is still in it.
int scopeAround(const Query &query) {
  int inner = scopeAt(query);
  const Analysis *analysis = query.file.analysis.get();
  if (!analysis || analysis->complete || inner < 0)
    return inner;
  TextPosition best{0, 0};
  int result = inner;
  for (size_t i = 1; i < analysis->scopes.size(); ++i) {
    const ScopeInfo &scope = analysis->scopes[i];
    std::optional<TextRange> now = query.file.now(scope.place);
    bool inside = scope.parent == inner || inner == 0;
    if (now && inside && isUnitScope(scope) && now->end < query.position && now->end >= best) {
      best = now->end;
      result = static_cast<int>(i);
    }
  }
  return result == inner || withoutUnits(query.file, {{best.line, 1}, query.position}) ? result
                                                                                       : inner;
}

// "type(dim3)" to "dim3".
std::string typeNameIn(const std::string &type) {
  size_t open = type.find('(');
  if (open == std::string::npos || (!type.starts_with("type") && !type.starts_with("class")))
    return {};
  return type.substr(open + 1, type.find(')') - open - 1);
}

} // namespace

void forEachExport(const Workspace &workspace, const SourceFile &from, const std::string &module,
                   const VisitExport &visit) {
  std::set<std::string> seen;
  exportsOf(workspace, from, lowerCase(module), visit, seen);
}

VisibleNames::VisibleNames(const Query &query, const ApiTable &api)
    : query(query), api(api), innermost(scopeAround(query)) {}

bool VisibleNames::inDeviceCode() const {
  const ScopeInfo *scope = analysis() ? scopeOf(*analysis(), innermost) : nullptr;
  return scope && scope->device;
}

SymbolRef VisibleNames::declared(SymbolRef symbol) const {
  SymbolRef found = query.workspace.declarationOf(symbol);
  return found ? found : symbol;
}

void VisibleNames::imports(const UseInfo &use, const Visit &visit) const {
  std::set<std::string> wanted;
  for (const std::string &name : use.names)
    wanted.insert(lowerCase(name));
  forEachExport(query.workspace, query.file, use.module,
                [&](const std::string &name, SymbolRef symbol) {
                  if (wanted.erase(lowerCase(name)) != 0 || !use.only)
                    visit({name, symbol, NameOrigin::Imported});
                });
  for (const std::string &name : use.names)
    if (wanted.contains(lowerCase(name)))
      if (SymbolRef symbol = renamedBy(query.file, use, lowerCase(name)))
        visit({name, declared(symbol), NameOrigin::Imported});
}

void VisibleNames::forEach(const Visit &visit) const {
  if (!analysis())
    return;
  NameOrigin origin = NameOrigin::Local;
  for (int number = innermost; number >= 0;) {
    const ScopeInfo *scope = scopeOf(*analysis(), number);
    if (!scope)
      return;
    for (int symbol : scope->symbols)
      if (const SymbolInfo *info = symbolOf(*analysis(), symbol))
        visit({info->name, {&query.file, symbol}, origin});
    for (const UseInfo &use : scope->uses)
      imports(use, visit);
    if (scope->kind != ScopeKind::Block && scope->kind != ScopeKind::Construct)
      origin = NameOrigin::Host;
    number = scope->parent;
  }
}

std::vector<VisibleName> VisibleNames::find(const std::string &name) const {
  std::vector<VisibleName> result;
  std::string lower = lowerCase(name);
  forEach([&](const VisibleName &visible) {
    if (lowerCase(visible.name) == lower &&
        (result.empty() || (result.front().origin == visible.origin &&
                            result.front().symbol.file == visible.symbol.file &&
                            result.front().symbol.info().scope == visible.symbol.info().scope)))
      result.push_back(visible);
  });
  return result;
}

VisibleNames::Used VisibleNames::used(const std::string &module, const std::string &name) const {
  Used result;
  auto same = [&](const std::string &other) { return lowerCase(other) == lowerCase(name); };
  for (int number = analysis() ? innermost : -1; number >= 0;) {
    const ScopeInfo *scope = scopeOf(*analysis(), number);
    if (!scope)
      break;
    for (const UseInfo &use : scope->uses)
      if (lowerCase(use.module) == lowerCase(module)) {
        result.use = result.use ? result.use : &use;
        result.visible |= !use.only || std::any_of(use.names.begin(), use.names.end(), same);
      }
    number = scope->parent;
  }
  return result;
}

bool VisibleNames::isUsed(const ApiEntry &entry) const {
  return used(entry.module, entry.name).visible ||
         std::any_of(entry.through.begin(), entry.through.end(),
                     [&](const std::string &module) { return used(module, entry.name).visible; });
}

const ApiEntry *VisibleNames::entryOf(SymbolRef symbol) const {
  return symbol ? api.find(symbol.info().name, symbol.info().module) : nullptr;
}

TypeRef VisibleNames::typeOf(const NamedThing &thing) const {
  if (!thing.symbol) {
    const ApiEntry *entry = thing.entry;
    std::string type = !entry ? "" : !entry->result.empty() ? entry->result : headOf(*entry);
    if (entry && entry->kind == ApiKind::Type)
      return {{}, entry};
    const ApiEntry *found = api.find(typeNameIn(type));
    return {{}, found && found->kind == ApiKind::Type ? found : nullptr};
  }
  SymbolRef symbol = thing.symbol;
  const Analysis &where = *symbol.file->analysis;
  if (symbol.info().kind == SymbolKind::DerivedType)
    return {symbol, nullptr};
  if (const SymbolInfo *result = symbolOf(where, symbol.info().result);
      result && result->typeSymbol >= 0)
    symbol.symbol = symbol.info().result;
  if (symbolOf(where, symbol.info().typeSymbol)) {
    SymbolRef type = declared({symbol.file, symbol.info().typeSymbol});
    if (type.info().ownScope >= 0)
      return {type, nullptr};
    return {{}, entryOf(type)};
  }
  const ApiEntry *found = api.find(typeNameIn(symbol.info().type));
  return {{}, found && found->kind == ApiKind::Type ? found : nullptr};
}

std::vector<SymbolRef> VisibleNames::membersOf(const TypeRef &type) const {
  std::vector<SymbolRef> result;
  SymbolRef current = type.symbol;
  for (int depth = 0; current && depth < 32; ++depth) {
    const Analysis &where = *current.file->analysis;
    if (const ScopeInfo *scope = scopeOf(where, current.info().ownScope))
      for (int member : scope->symbols)
        if (const SymbolInfo *info = symbolOf(where, member);
            info && (info->kind == SymbolKind::Component || info->kind == SymbolKind::Binding ||
                     info->kind == SymbolKind::Generic))
          result.push_back({current.file, member});
    int parent = current.info().typeSymbol;
    current = symbolOf(where, parent) ? declared({current.file, parent}) : SymbolRef{};
  }
  return result;
}

bool VisibleNames::isAccessible(SymbolRef member) const {
  const SymbolInfo &info = member.info();
  if (std::find(info.attributes.begin(), info.attributes.end(), "private") == info.attributes.end())
    return true;
  const Analysis &theirs = *member.file->analysis;
  auto unitOf = [](const Analysis &where, int scope) {
    const ScopeInfo *info = scopeOf(where, scope);
    while (info && info->kind != ScopeKind::Module && info->kind != ScopeKind::Submodule)
      info = scopeOf(where, info->parent);
    return info;
  };
  const ScopeInfo *here = analysis() ? unitOf(*analysis(), innermost) : nullptr;
  if (here && here->kind == ScopeKind::Submodule)
    return true;
  return here && member.file == &query.file && here == unitOf(theirs, info.scope);
}

TypeRef VisibleNames::typeNamed(const std::string &name) const {
  for (const VisibleName &visible : find(name))
    if (SymbolRef symbol = declared(visible.symbol); symbol.info().kind == SymbolKind::DerivedType)
      return {symbol, nullptr};
  for (const ApiEntry *entry : api.findAll(name))
    if (entry->kind == ApiKind::Type)
      return {{}, entry};
  return {};
}

NamedThing VisibleNames::resolve(const std::vector<std::string> &names) const {
  NamedThing thing;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i == 0) {
      std::vector<VisibleName> found = find(names[0]);
      if (found.empty())
        thing.entry = api.find(names[0]);
      else
        thing.symbol = declared(found.front().symbol);
      for (const VisibleName &other : found) // a specific procedure rather than its generic name
        if (other.symbol.info().kind == SymbolKind::Generic)
          thing.symbol = declared(other.symbol);
      continue;
    }
    TypeRef type = typeOf(thing);
    thing = {};
    for (SymbolRef member : membersOf(type))
      if (lowerCase(member.info().name) == names[i]) {
        thing.symbol = member;
        break;
      }
    if (!thing && type.symbol)
      if (int parent = type.symbol.info().typeSymbol; parent >= 0) { // the parent component
        SymbolRef row{type.symbol.file, parent};
        if (lowerCase(row.info().name) == names[i])
          thing.symbol = declared(row);
      }
    if (!thing)
      return {};
  }
  return thing;
}

} // namespace cufc
