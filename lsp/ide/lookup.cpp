// See lookup.h. From the innermost scope outwards: what it declares, then what its USE statements
// bring; of a submodule also what its module declares.
#include "ide/lookup.h"
#include "base/source_text.h"
#include "ide/types.h"
#include <algorithm>
#include <tuple>

namespace cufc {
namespace {

constexpr int deepestUse = 16; // modules that use modules

const ScopeInfo *scopeOfModule(const SourceFile &file, const std::string &module) {
  for (const ScopeInfo &scope : file.analysis->scopes)
    if (scope.kind == ScopeKind::Module && scope.symbol >= 0 &&
        lowerCase(file.analysis->symbols[static_cast<size_t>(scope.symbol)].name) == module)
      return &scope;
  return nullptr;
}

std::vector<SymbolRef> declaredIn(const SourceFile &file, const ScopeInfo &scope,
                                  const std::string &name, bool onlyExported) {
  std::vector<SymbolRef> result;
  for (int row : scope.symbols) {
    const SymbolInfo &symbol = file.analysis->symbols[static_cast<size_t>(row)];
    if (symbol.name.size() == name.size() && lowerCase(symbol.name) == name &&
        (symbol.exported || !onlyExported))
      result.push_back({&file, row});
  }
  return result;
}

bool names(const UseInfo &use, const std::string &name) {
  return std::any_of(use.names.begin(), use.names.end(),
                     [&](const std::string &one) { return lowerCase(one) == name; });
}

// Under the name that a rename in one of the scope's USE statements gives.
std::vector<SymbolRef> renamedIn(const SourceFile &file, const ScopeInfo &scope,
                                 const std::string &name) {
  for (const UseInfo &use : scope.uses)
    if (SymbolRef symbol = names(use, name) ? renamedBy(file, use, name) : SymbolRef{})
      return {symbol};
  return {};
}

std::vector<SymbolRef> inModule(const Workspace &workspace, const SourceFile *from,
                                const std::string &module, const std::string &name,
                                bool onlyExported, int depth) {
  const SourceFile *file = depth < deepestUse ? workspace.moduleFile(module, from) : nullptr;
  const ScopeInfo *scope = file ? scopeOfModule(*file, lowerCase(module)) : nullptr;
  if (!scope)
    return {};
  std::vector<SymbolRef> result = declaredIn(*file, *scope, name, onlyExported);
  for (const UseInfo &use : scope->uses)
    if (result.empty() && (!use.only || names(use, name)))
      result = inModule(workspace, from, use.module, name, true, depth + 1);
  return result.empty() ? renamedIn(*file, *scope, name) : result;
}

// The module that a submodule descends from, or "".
std::string ancestorOf(const SourceFile &file, const ScopeInfo &scope) {
  if (scope.kind != ScopeKind::Submodule || scope.symbol < 0)
    return {};
  std::string name = lowerCase(file.analysis->symbols[static_cast<size_t>(scope.symbol)].name);
  for (const ModuleInterface &module : file.analysis->interfaces)
    if (size_t colon = module.name.find(':');
        colon != std::string::npos && lowerCase(module.name.substr(colon + 1)) == name)
      return module.name.substr(0, colon);
  return {};
}

class Line {
public:
  explicit Line(std::string_view text) : text(text) {}

  void skipBlanksBefore(size_t &at) const {
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t'))
      --at;
  }
  // Moves from behind "b(i)" to its beginning and gives its name.
  std::string_view partBefore(size_t &at) const {
    skipBlanksBefore(at);
    int depth = 0;
    while (at > 0 && (depth > 0 || text[at - 1] == ')')) {
      char c = text[--at];
      depth += c == ')' ? 1 : c == '(' ? -1 : 0;
    }
    skipBlanksBefore(at);
    size_t end = at;
    while (at > 0 && (isalnum(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '_'))
      --at;
    return text.substr(at, end - at);
  }
  bool percentBefore(size_t &at) const {
    skipBlanksBefore(at);
    if (at == 0 || text[at - 1] != '%')
      return false;
    --at;
    return true;
  }
  std::string_view text;
};

// Of "b" in "a(i)%b": the member of the type of what stands before it.
std::vector<SymbolRef> memberAt(const Query &query, const std::vector<std::string> &parts,
                                int scope, const std::string &name) {
  Found first = lookUp(query.workspace, query.file, scope, parts.back());
  if (first.symbols.empty())
    return {};
  SymbolRef type = typeOf(query.workspace, first.symbols.front());
  for (size_t i = parts.size() - 1; i-- > 0 && type;)
    type = typeOf(query.workspace, memberOf(query.workspace, type, parts[i]));
  SymbolRef member = type ? memberOf(query.workspace, type, name) : SymbolRef{};
  return member ? std::vector<SymbolRef>{member} : std::vector<SymbolRef>{};
}

std::vector<SymbolRef> globalUnits(const Workspace &workspace, const SourceFile &from,
                                   const std::string &name) {
  std::string key = "/" + from.keyName(lowerCase(name));
  for (const auto &[path, file] : workspace.files())
    if (file->analysis && ofOneProject(file.get(), &from))
      for (int row : file->symbolsOf(key))
        if (file->analysis->symbols[static_cast<size_t>(row)].ownScope >= 0)
          return {{file.get(), row}};
  return {};
}

// Whether a line up to a word makes it the name of a module that is used.
bool isUseOf(std::string_view before) {
  std::string text = lowerCase(before);
  size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos || text.compare(first, 3, "use") != 0)
    return false;
  text = text.substr(first + 3);
  return text.find_first_not_of(" \t:") == std::string::npos ||
         text.find("intrinsic") != std::string::npos;
}

} // namespace

SymbolRef renamedBy(const SourceFile &file, const UseInfo &use, const std::string &local) {
  constexpr int mostLines = 40; // of a USE statement
  const std::vector<Occurrence> &all = file.analysis->occurrences;
  auto before = [](const Occurrence &occurrence, const Place &place) {
    return std::tie(occurrence.place.file, occurrence.place.line, occurrence.place.column) <
           std::tie(place.file, place.line, place.column);
  };
  for (auto next = std::lower_bound(all.begin(), all.end(), use.place, before);
       next != all.end() && next->place.file == use.place.file &&
       next->place.line < use.place.line + mostLines;
       ++next)
    if (std::optional<TextRange> now = file.now(next->place);
        now && next->symbol >= 0 && lowerCase(file.document.slice(*now)) == lowerCase(local))
      return {&file, next->symbol};
  return {};
}

std::vector<SymbolRef> exportedBy(const Workspace &workspace, const SourceFile *from,
                                  const std::string &module, const std::string &name) {
  return inModule(workspace, from, module, lowerCase(name), true, 0);
}

Found lookUp(const Workspace &workspace, const SourceFile &file, int scope,
             const std::string &spelled) {
  Found found;
  std::string name = lowerCase(spelled);
  for (; file.analysis && scope >= 0;
       scope = file.analysis->scopes[static_cast<size_t>(scope)].parent) {
    const ScopeInfo &row = file.analysis->scopes[static_cast<size_t>(scope)];
    found.scope = scope;
    if (row.kind != ScopeKind::DerivedType)
      found.symbols = declaredIn(file, row, name, false);
    if (!found.symbols.empty())
      return found;
    found.used = true;
    for (const UseInfo &use : row.uses)
      if (found.symbols.empty() && (!use.only || names(use, name)))
        found.symbols = inModule(workspace, &file, use.module, name, true, 0);
    if (found.symbols.empty())
      found.symbols = renamedIn(file, row, name);
    if (std::string ancestor = ancestorOf(file, row); found.symbols.empty() && !ancestor.empty())
      found.symbols = inModule(workspace, &file, ancestor, name, false, 0);
    if (!found.symbols.empty())
      return found;
    found.used = false;
  }
  found.scope = -1;
  return found;
}

bool isInCode(const SourceFile &file, TextPosition position) {
  std::string_view line = file.document.line(position.line);
  if (file.reading.fixedForm && !line.empty() &&
      std::string_view("cC*!").find(line.front()) != std::string_view::npos)
    return false;
  char quote = 0;
  for (size_t i = 0; i < line.size() && static_cast<int>(i) + 1 < position.column; ++i) {
    char c = line[i];
    if (quote)
      quote = c == quote ? char(0) : quote;
    else if (c == '\'' || c == '"')
      quote = c;
    else if (c == '!')
      return false;
  }
  return quote == 0;
}

std::vector<OccurrenceAt> namesAt(const Query &query) {
  std::vector<OccurrenceAt> result = occurrencesAt(query);
  TextRange word = wordAt(query.document(), query.position);
  if (!result.empty() || word.begin == word.end || !query.file.analysis ||
      !isInCode(query.file, word.begin))
    return result;
  std::string name(query.document().slice(word));
  Line line(query.document().line(word.begin.line));
  size_t at = static_cast<size_t>(word.begin.column) - 1;
  std::vector<SymbolRef> symbols;
  if (isUseOf(line.text.substr(0, at))) {
    if (const SourceFile *file = query.workspace.moduleFile(name, &query.file))
      for (int row : file->symbolsOf("/" + file->keyName(lowerCase(name))))
        symbols.push_back({file, row});
  } else if (line.percentBefore(at)) {
    std::vector<std::string> parts;
    do
      parts.emplace_back(line.partBefore(at));
    while (line.percentBefore(at));
    symbols = memberAt(query, parts, scopeAt(query), name);
  } else {
    symbols = lookUp(query.workspace, query.file, scopeAt(query), name).symbols;
    if (symbols.empty()) // a program unit of any file
      symbols = globalUnits(query.workspace, query.file, name);
  }
  for (SymbolRef symbol : symbols)
    result.push_back({symbol, Role::Reference, word});
  return result;
}

} // namespace cufc
