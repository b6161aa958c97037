// The new name must not mean anything yet where the old one is used, and nothing else may be used
// under the new name where the symbol becomes visible under it: then one would hide the other.
//
// "Regions" are the scopes that see the symbol under its name: the one that declares it, and those
// that USE its module.
#include "base/source_text.h"
#include "ide/declaration.h"
#include "ide/lookup.h"
#include "ide/rename_checks.h"
#include "ide/same_symbol.h"
#include "ide/types.h"
#include "index/symbol_key.h"
#include <algorithm>

namespace cufc {
namespace {

constexpr std::string_view deviceModule = "cudadevice";

struct Region {
  const SourceFile *file;
  int scope;
};

const ScopeInfo &scopeRow(const SourceFile &file, int scope) {
  return file.analysis->scopes[static_cast<size_t>(scope)];
}

bool isInside(const SourceFile &file, int scope, int outer) {
  for (; scope >= 0; scope = scopeRow(file, scope).parent)
    if (scope == outer)
      return true;
  return false;
}

std::string described(SymbolRef symbol) {
  std::optional<Location> place = locationOf(*symbol.file, symbol.info().declared);
  return "'" + symbol.info().name + "'" +
         (place                     ? " of " + placeText(*place)
          : symbol.info().intrinsic ? ", which is intrinsic and used there"
                                    : "");
}

// Names that scopes do not look up: behind "%", "=" of arguments, labels.
bool standsAlone(const SymbolInfo &symbol) {
  return symbol.kind != SymbolKind::Component && symbol.kind != SymbolKind::Binding &&
         symbol.kind != SymbolKind::Label;
}

class Conflicts {
public:
  Conflicts(Renaming &renaming, const ApiTable &api)
      : renaming(renaming), workspace(renaming.workspace), api(api), name(renaming.lowerNewName()) {
  }

  void check() {
    const SymbolInfo &info = renaming.symbol.info();
    if (info.kind == SymbolKind::Label)
      return checkLabel();
    if (SymbolRef type = typeAround(workspace, renaming.symbol); type && !renaming.alias)
      return checkMember(type);
    if (info.kind == SymbolKind::DerivedType && !renaming.alias) // also a component of extensions
      checkExtensions(renaming.symbol);
    if (renaming.symbol.key().starts_with("/"))
      checkGlobal();
    if (info.kind == SymbolKind::CommonBlock)
      return;
    findRegions();
    for (const Region &region : regions)
      checkRegion(region);
    for (const RenameSite &site : renaming.sites)
      if (site.occurrence >= 0 && renaming.refusal.empty())
        checkSite(site);
  }

private:
  void refuseFor(SymbolRef other) {
    renaming.refuse("the name '" + renaming.newName + "' is taken: " + described(other));
  }

  void checkLabel() {
    const SourceFile &file = *renaming.symbol.file;
    auto number = [](const std::string &text) {
      size_t first = text.find_first_not_of('0');
      return first == std::string::npos ? std::string() : text.substr(first);
    };
    for (size_t i = 0; i < file.analysis->symbols.size(); ++i) {
      const SymbolInfo &other = file.analysis->symbols[i];
      if (other.kind == SymbolKind::Label && other.scope == renaming.symbol.info().scope &&
          number(other.name) == number(renaming.newName))
        refuseFor({&file, static_cast<int>(i)});
    }
  }

  void checkMember(SymbolRef type) {
    if (SymbolRef other = memberOf(workspace, type, name))
      refuseFor(other);
    checkExtensions(type);
  }

  void checkExtensions(SymbolRef type) {
    for (SymbolRef extension : extensionsOf(workspace, type, true))
      if (SymbolRef other = memberOf(workspace, extension, name))
        refuseFor(other);
  }

  void checkGlobal() {
    bool common = renaming.symbol.info().kind == SymbolKind::CommonBlock;
    for (const auto &[path, file] : workspace.files())
      if (file->analysis && ofOneProject(file.get(), renaming.symbol.file))
        for (int row : file->symbolsOf(common ? "//" + name : "/" + file->keyName(name)))
          refuseFor({file.get(), row});
  }

  // Whether the symbol is visible in a scope by its USE statements, under its own name.
  bool isUsedIn(const ScopeInfo &scope) {
    for (const UseInfo &use : scope.uses)
      if (provides(lowerCase(use.module)) &&
          (!use.only ||
           std::any_of(use.names.begin(), use.names.end(),
                       [&](const std::string &one) { return lowerCase(one) == renaming.oldName; })))
        return true;
    return false;
  }

  bool provides(const std::string &module) {
    auto [place, isNew] = providers.try_emplace(module, false);
    if (isNew)
      for (SymbolRef symbol : exportedBy(workspace, renaming.symbol.file, module, renaming.oldName))
        if (renaming.keys.contains(symbol.key()))
          providers[module] = true;
    return providers[module];
  }

  void findRegions() {
    if (!renaming.alias)
      for (SymbolRef row : declarationsOf(workspace, renaming.symbol))
        if (row.info().scope >= 0)
          regions.push_back({row.file, row.info().scope});
    std::string module = moduleOfKey(renaming.symbol.key());
    for (const auto &[path, file] : workspace.files()) {
      if (!file->analysis || !ofOneProject(file.get(), renaming.symbol.file) ||
          (renaming.only && file.get() != renaming.only))
        continue;
      for (size_t i = 0; i < file->analysis->scopes.size(); ++i)
        if (const ScopeInfo &scope = file->analysis->scopes[i];
            (renaming.alias ? namesAlias(scope)
                            : !scope.uses.empty() && !module.empty() && isUsedIn(scope)) ||
            (scope.kind == ScopeKind::Submodule && file->mentions(module)))
          regions.push_back({file.get(), static_cast<int>(i)});
    }
  }

  bool namesAlias(const ScopeInfo &scope) const {
    for (const UseInfo &use : scope.uses)
      for (const std::string &one : use.names)
        if (lowerCase(one) == renaming.oldName)
          return true;
    return false;
  }

  bool usesUnderNewName(const ScopeInfo &scope) const {
    for (const UseInfo &use : scope.uses)
      for (const std::string &one : use.names)
        if (lowerCase(one) == name)
          return true;
    return false;
  }

  // Another thing of the new name, declared or used in a region.
  void checkRegion(const Region &region) {
    const ScopeInfo &scope = scopeRow(*region.file, region.scope);
    const Analysis &analysis = *region.file->analysis;
    if (region.scope > 0)
      for (int row : scope.symbols)
        if (const SymbolInfo &other = analysis.symbols[static_cast<size_t>(row)];
            lowerCase(other.name) == name && standsAlone(other) &&
            other.kind != SymbolKind::CommonBlock)
          return refuseFor({region.file, row});
    if (usesUnderNewName(scope))
      return renaming.refuse("the name '" + renaming.newName + "' is taken: a USE statement in " +
                             placeText({region.file->path, rangeOf(scope.place)}) +
                             " makes something visible under it");
    if (region.scope == 0)
      return;
    visited.clear();
    for (const UseInfo &use : scope.uses)
      if (!use.only && isOfForeign(lowerCase(use.module)))
        return renaming.refuse("the name '" + renaming.newName + "' is taken: module " +
                               use.module + " has it");
    for (std::string_view index : {"threadidx", "blockidx", "blockdim", "griddim", "warpsize"})
      if (name == index && !analysis.kernels.empty())
        return renaming.refuse("the name '" + renaming.newName +
                               "' is taken: device code has it without a declaration");
    // Every device procedure has what the file names of this module, as if by USE.
    for (const SymbolInfo &other : analysis.symbols)
      if (lowerCase(other.module) == deviceModule && lowerCase(other.name) == name)
        return renaming.refuse("the name '" + renaming.newName + "' is taken: device code has '" +
                               other.name + "' of module " + other.module);
    std::vector<char> named(analysis.symbols.size());
    bool any = false;
    for (size_t i = 0; i < named.size(); ++i)
      any |= (named[i] = lowerCase(analysis.symbols[i].name) == name &&
                         standsAlone(analysis.symbols[i])) != 0;
    if (!any)
      return;
    for (const Occurrence &occurrence : analysis.occurrences)
      if (occurrence.symbol >= 0 && named[static_cast<size_t>(occurrence.symbol)])
        checkOther(region, occurrence);
  }

  // Whether a module without a source in the workspace is known to have the new name, used directly
  // or through other modules.
  bool isOfForeign(const std::string &module) {
    if (!visited.insert(module).second)
      return false;
    const SourceFile *source = workspace.moduleFile(module, renaming.symbol.file);
    if (source) {
      for (const ScopeInfo &scope : source->analysis->scopes)
        for (const UseInfo &use : scope.uses)
          if (scope.kind == ScopeKind::Module && !use.only && isOfForeign(lowerCase(use.module)))
            return true;
      return false;
    }
    if (const ApiEntry *entry = api.find(name, module); entry && lowerCase(entry->module) == module)
      return true;
    std::string key = module + "/" + name;
    for (const auto &[path, file] : workspace.files())
      if (file->analysis && (!file->symbolsOf(key).empty() || !file->symbolsOf(key + "()").empty()))
        return true;
    return false;
  }

  // An occurrence of another symbol that has the new name.
  void checkOther(const Region &region, const Occurrence &occurrence) {
    const Analysis &analysis = *region.file->analysis;
    const SymbolInfo &other = analysis.symbols[static_cast<size_t>(occurrence.symbol)];
    int scope = scopeAround(analysis, occurrence.place);
    if (!isInside(*region.file, scope, region.scope))
      return;
    if (isKeyword(*region.file, other, scope))
      return;
    // Declared further inside, it is another name there; an intrinsic has the scope that uses it.
    if (!other.intrinsic && other.scope >= 0 && other.scope != region.scope &&
        other.module.empty() && isInside(*region.file, other.scope, region.scope))
      return;
    if (other.intrinsic)
      return refuseFor({region.file, occurrence.symbol});
    if (std::optional<Location> place = locationOf(*region.file, occurrence.place))
      renaming.refuse("'" + renaming.newName + "' means something else at " + placeText(*place));
  }

  // "n" of "call s(n=1)": the dummy of a procedure that is not around.
  static bool isKeyword(const SourceFile &file, const SymbolInfo &symbol, int scope) {
    if (symbol.owner >= 0)
      return true;
    return symbol.dummyOf >= 0 && symbol.scope >= 0 && !isInside(file, scope, symbol.scope);
  }

  // The new name must not be hidden from the symbol's own places.
  void checkSite(const RenameSite &site) {
    const Analysis &analysis = *site.file->analysis;
    const SymbolInfo &info = renaming.symbolOf(site);
    const Occurrence &occurrence = analysis.occurrences[static_cast<size_t>(site.occurrence)];
    int scope = scopeAround(analysis, occurrence.place);
    if (!standsAlone(info) || isKeyword(*site.file, info, scope))
      return;
    auto [place, isNew] = seen.insert({site.file, scope});
    if (!isNew)
      return;
    Found other = lookUp(workspace, *site.file, scope, name);
    if (other.symbols.empty())
      return;
    Found own = lookUp(workspace, *site.file, scope, renaming.oldName);
    bool outer =
        own.scope >= 0 && other.scope != own.scope && isInside(*site.file, own.scope, other.scope);
    if (!outer)
      refuseFor(other.symbols.front());
  }

  Renaming &renaming;
  const Workspace &workspace;
  const ApiTable &api;
  std::string name; // lower case
  std::vector<Region> regions;
  std::map<std::string, bool> providers;
  std::set<std::string> visited; // modules, in one search
  std::set<std::pair<const SourceFile *, int>> seen;
};

} // namespace

void checkConflicts(Renaming &renaming, const ApiTable &api) { Conflicts(renaming, api).check(); }

} // namespace cufc
