// Everything of the old analysis that lies in the lines goes, what lies below moves, and what the
// part found in the lines is added. Symbols of the part that it got from the module's interface are
// those of the old analysis with the same name.
#include "analysis/merge.h"
#include "base/source_text.h"
#include <algorithm>
#include <map>

namespace cufc {
namespace {

class Merger {
public:
  Merger(const Analysis &whole, const Analysis &part, const ReplacedLines &lines)
      : whole(whole), part(part), lines(lines), result(whole) {}

  std::optional<Analysis> run() {
    int before = procedureIn(whole), after = procedureIn(part);
    if (before < 0 || after < 0 || !sameInterface(before, after))
      return std::nullopt;
    dropOld(before);
    addNew(before, after);
    mergeRest();
    result.complete = whole.complete && part.complete;
    return std::move(result);
  }

private:
  bool inLines(const Place &place, int last) const {
    return place.file == 0 && place.line >= lines.first && place.line <= last;
  }

  // The symbol of the procedure, or -1.
  int procedureIn(const Analysis &analysis) const {
    int last = &analysis == &whole ? lines.oldLast : lines.newLast;
    for (size_t i = 0; i < analysis.symbols.size(); ++i) {
      const SymbolInfo &symbol = analysis.symbols[i];
      bool isUnit = symbol.kind == SymbolKind::Subroutine || symbol.kind == SymbolKind::Function ||
                    symbol.kind == SymbolKind::Program;
      if (isUnit && symbol.ownScope >= 0 && lowerCase(symbol.name) == lines.name &&
          inLines(symbol.definition, last) && symbol.definition.line == lines.first)
        return static_cast<int>(i);
    }
    return -1;
  }

  static bool sameFace(const SymbolInfo &a, const SymbolInfo &b) {
    return lowerCase(a.name) == lowerCase(b.name) && a.kind == b.kind && a.type == b.type &&
           a.attributes == b.attributes && a.shape == b.shape &&
           a.dataAttributes == b.dataAttributes && a.procedureAttributes == b.procedureAttributes &&
           a.dummies.size() == b.dummies.size();
  }

  bool sameInterface(int before, int after) const {
    const SymbolInfo &a = symbol(whole, before), &b = symbol(part, after);
    if (!sameFace(a, b))
      return false;
    for (size_t i = 0; i < a.dummies.size(); ++i)
      if ((a.dummies[i] < 0) != (b.dummies[i] < 0) ||
          (a.dummies[i] >= 0 && !sameFace(symbol(whole, a.dummies[i]), symbol(part, b.dummies[i]))))
        return false;
    return true;
  }

  static const SymbolInfo &symbol(const Analysis &analysis, int index) {
    return analysis.symbols[static_cast<size_t>(index)];
  }

  // For each scope whether it is the procedure's or inside it.
  static std::vector<bool> scopesOf(const Analysis &analysis, int procedure) {
    std::vector<bool> inside(analysis.scopes.size());
    int own = symbol(analysis, procedure).ownScope;
    for (size_t i = 0; i < inside.size(); ++i) { // parents stand before their children
      int parent = analysis.scopes[i].parent;
      inside[i] = static_cast<int>(i) == own || (parent >= 0 && parent < static_cast<int>(i) &&
                                                 inside[static_cast<size_t>(parent)]);
    }
    return inside;
  }

  void dropOld(int procedure) {
    std::vector<bool> scopeGoes = scopesOf(whole, procedure);
    result.scopes.clear();
    newScope.assign(whole.scopes.size(), -1);
    for (size_t i = 0; i < whole.scopes.size(); ++i)
      if (!scopeGoes[i]) {
        newScope[i] = static_cast<int>(result.scopes.size());
        result.scopes.push_back(whole.scopes[i]);
      }
    result.symbols.clear();
    newSymbol.assign(whole.symbols.size(), -1);
    for (size_t i = 0; i < whole.symbols.size(); ++i) {
      int scope = whole.symbols[i].scope;
      if (scope < 0 || !scopeGoes[static_cast<size_t>(scope)]) {
        newSymbol[i] = static_cast<int>(result.symbols.size());
        result.symbols.push_back(whole.symbols[i]);
      }
    }
    for (SymbolInfo &symbol : result.symbols)
      renumber(symbol, newSymbol, newScope);
    for (ScopeInfo &scope : result.scopes)
      renumber(scope, newSymbol, newScope);
  }

  void addNew(int before, int after) {
    std::vector<bool> scopeComes = scopesOf(part, after);
    std::vector<int> scopeOfPart(part.scopes.size(), -1), symbolOfPart(part.symbols.size(), -1);
    size_t firstScope = result.scopes.size(), firstSymbol = result.symbols.size();
    for (size_t i = 0; i < part.scopes.size(); ++i)
      if (scopeComes[i]) {
        scopeOfPart[i] = static_cast<int>(result.scopes.size());
        result.scopes.push_back(part.scopes[i]);
      }
    int procedure = newSymbol[static_cast<size_t>(before)];
    indexKnown();
    for (size_t i = 0; i < part.symbols.size(); ++i)
      symbolOfPart[i] =
          static_cast<int>(i) == after ? procedure : indexOf(part.symbols[i], scopeComes);
    for (size_t i = firstSymbol; i < result.symbols.size(); ++i)
      renumber(result.symbols[i], symbolOfPart, scopeOfPart);
    for (size_t i = firstScope; i < result.scopes.size(); ++i)
      renumber(result.scopes[i], symbolOfPart, scopeOfPart);
    SymbolInfo updated = symbol(part, after);
    const SymbolInfo &old = result.symbols[static_cast<size_t>(procedure)];
    int scope = old.scope;
    bool exported = old.exported;
    renumber(updated, symbolOfPart, scopeOfPart);
    updated.scope = scope;
    updated.exported = exported;
    if (updated.ownScope >= 0)
      result.scopes[static_cast<size_t>(updated.ownScope)].parent = scope;
    result.symbols[static_cast<size_t>(procedure)] = std::move(updated);
    fromPart = std::move(symbolOfPart);
  }

  // "type%component", "procedure%dummy" of what a foreign symbol belongs to, or just the name.
  static std::string nameIn(const std::vector<SymbolInfo> &symbols, const SymbolInfo &symbol) {
    return symbol.owner < 0
               ? lowerCase(symbol.name)
               : lowerCase(symbols[static_cast<size_t>(symbol.owner)].name + "%" + symbol.name);
  }

  // Symbols of the file's module with the components of its types, and of other modules, by name.
  void indexKnown() {
    for (size_t i = 0; i < result.symbols.size(); ++i) {
      const SymbolInfo &symbol = result.symbols[i];
      std::string name = nameIn(result.symbols, symbol);
      int scope = symbol.scope;
      if (scope >= 0 && result.scopes[static_cast<size_t>(scope)].kind == ScopeKind::DerivedType) {
        int type = result.scopes[static_cast<size_t>(scope)].symbol;
        name.insert(0, "%");
        if (type >= 0)
          name.insert(0, lowerCase(result.symbols[static_cast<size_t>(type)].name));
        scope = result.scopes[static_cast<size_t>(scope)].parent;
      }
      bool inModule = scope >= 0 && !lines.module.empty() &&
                      result.scopes[static_cast<size_t>(scope)].kind == ScopeKind::Module;
      std::string module = !symbol.module.empty() ? lowerCase(symbol.module)
                           : inModule             ? lines.module
                                                  : "";
      known.emplace(std::pair(module, name), static_cast<int>(i));
    }
  }

  // The index in the result of a symbol of the part, which is added unless it is known or belongs
  // to the text around the procedure that stood in for the module.
  int indexOf(const SymbolInfo &symbol, const std::vector<bool> &scopeComes) {
    bool inside = symbol.scope >= 0 && scopeComes[static_cast<size_t>(symbol.scope)];
    if (!inside) {
      auto found = known.find({lowerCase(symbol.module), nameIn(part.symbols, symbol)});
      if (found != known.end())
        return found->second;
      if (symbol.module.empty() && !symbol.intrinsic)
        return -1;
    }
    result.symbols.push_back(symbol);
    return static_cast<int>(result.symbols.size()) - 1;
  }

  static int mapped(int index, const std::vector<int> &map) {
    return index < 0 ? index : map[static_cast<size_t>(index)];
  }
  static void mapAll(std::vector<int> &list, const std::vector<int> &map, bool keepHoles) {
    for (int &index : list)
      index = mapped(index, map);
    if (!keepHoles)
      list.erase(std::remove(list.begin(), list.end(), -1), list.end());
  }

  static void renumber(SymbolInfo &symbol, const std::vector<int> &symbols,
                       const std::vector<int> &scopes) {
    symbol.scope = mapped(symbol.scope, scopes);
    symbol.ownScope = mapped(symbol.ownScope, scopes);
    symbol.result = mapped(symbol.result, symbols);
    symbol.typeSymbol = mapped(symbol.typeSymbol, symbols);
    symbol.dummyOf = mapped(symbol.dummyOf, symbols);
    symbol.owner = mapped(symbol.owner, symbols);
    mapAll(symbol.dummies, symbols, true);
    mapAll(symbol.specifics, symbols, false);
  }
  static void renumber(ScopeInfo &scope, const std::vector<int> &symbols,
                       const std::vector<int> &scopes) {
    scope.parent = mapped(scope.parent, scopes);
    scope.symbol = mapped(scope.symbol, symbols);
    mapAll(scope.symbols, symbols, false);
  }

  // Elements outside of the lines from the old list, moved, with those of the part in their place.
  template <typename T>
  void replace(std::vector<T> &list, const std::vector<T> &old, const std::vector<T> &added) {
    list.clear();
    bool done = false;
    auto addPart = [&] {
      for (const T &element : added)
        if (inLines(placeOf(element), lines.newLast)) {
          list.push_back(element);
          renumber(list.back(), fromPart);
        }
      done = true;
    };
    for (const T &element : old) {
      Place place = placeOf(element);
      if (inLines(place, lines.oldLast))
        continue;
      if (!done && place.file == 0 && place.line > lines.oldLast)
        addPart();
      list.push_back(element);
      renumber(list.back(), newSymbol);
      move(list.back());
    }
    if (!done)
      addPart();
  }

  void mergeRest() {
    for (size_t i = 0; i < newSymbol.size(); ++i)
      if (newSymbol[i] >= 0 && !inLines(whole.symbols[i].definition, lines.oldLast)) {
        SymbolInfo &symbol = result.symbols[static_cast<size_t>(newSymbol[i])];
        move(symbol.declared);
        move(symbol.definition);
      }
    for (int scope : newScope)
      if (scope >= 0)
        move(result.scopes[static_cast<size_t>(scope)].place);
    replace(result.occurrences, whole.occurrences, part.occurrences);
    std::erase_if(result.occurrences, [](const Occurrence &o) { return o.symbol < 0; });
    replace(result.kernels, whole.kernels, part.kernels);
    replace(result.launches, whole.launches, part.launches);
    replace(result.folds, whole.folds, part.folds);
    replace(result.statements, whole.statements, part.statements);
    replace(result.diagnostics, whole.diagnostics, part.diagnostics);
  }

  // Of the elements of all these lists: where they are, ...
  template <typename T>
  static Place placeOf(const T &element) {
    return element.place;
  }
  static Place placeOf(const Place &place) { return place; }
  static Place placeOf(const FoldingRange &fold) { return {0, fold.line, 1, fold.endLine, 1}; }
  static Place placeOf(const Diagnostic &d) {
    return {d.range.file.empty() ? -1 : 0, d.range.line, d.range.column, d.range.endLine,
            d.range.endColumn};
  }

  // ... the symbols that they name, ...
  static void renumber(Occurrence &x, const std::vector<int> &map) {
    x.symbol = mapped(x.symbol, map);
  }
  static void renumber(KernelInfo &x, const std::vector<int> &map) {
    x.symbol = mapped(x.symbol, map);
  }
  static void renumber(LaunchInfo &x, const std::vector<int> &map) {
    x.kernel = mapped(x.kernel, map);
  }
  static void renumber(FoldingRange &, const std::vector<int> &) {}
  static void renumber(Place &, const std::vector<int> &) {}
  static void renumber(Diagnostic &, const std::vector<int> &) {}

  // ... and how they follow the text below the lines. What encloses the lines ends later.
  void move(int &line) const {
    if (line > lines.oldLast)
      line += lines.newLast - lines.oldLast;
  }
  void move(Place &place) const {
    if (place.file != 0)
      return;
    move(place.line);
    move(place.endLine);
  }
  template <typename T>
  void move(T &element) const {
    move(element.place);
  }
  void move(FoldingRange &fold) const {
    move(fold.line);
    move(fold.endLine);
  }
  void move(SourceRange &range) const {
    if (range.file != whole.files.front())
      return;
    move(range.line);
    move(range.endLine);
  }
  void move(Diagnostic &diagnostic) const {
    move(diagnostic.range);
    for (Diagnostic &related : diagnostic.related)
      move(related.range);
    for (Fix &fix : diagnostic.fixes)
      for (TextEdit &edit : fix.edits)
        move(edit.range);
  }

  const Analysis &whole;
  const Analysis &part;
  const ReplacedLines &lines;
  Analysis result;
  std::vector<int> newSymbol, newScope; // of the old analysis, in the result; -1: gone
  std::vector<int> fromPart;            // of the part's symbols, in the result
  std::map<std::pair<std::string, std::string>, int> known;
};

} // namespace

std::optional<Analysis> merged(const Analysis &whole, const Analysis &part,
                               const ReplacedLines &lines) {
  return Merger(whole, part, lines).run();
}

} // namespace cufc
