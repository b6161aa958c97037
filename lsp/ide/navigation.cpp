// See navigation.h. Of several rows that declare a procedure, same_symbol.h gives the body first.
#include "ide/navigation.h"
#include "base/source_text.h"
#include "ide/declaration.h"
#include "ide/lookup.h"
#include "ide/macros.h"
#include "ide/same_symbol.h"
#include "ide/types.h"
#include "source/line_markers.h"
#include <algorithm>

namespace cufc {
namespace {

void add(Targets &targets, const std::optional<Target> &target) {
  if (target && std::none_of(targets.list.begin(), targets.list.end(),
                             [&](const Target &other) { return other.name == target->name; }))
    targets.list.push_back(*target);
}

// What the cursor names: of a generic name with the specific that is called the latter alone.
std::vector<OccurrenceAt> specificNamesAt(const Query &query) {
  std::vector<OccurrenceAt> names = namesAt(query);
  auto isGeneric = [](const OccurrenceAt &name) {
    return name.symbol.info().kind == SymbolKind::Generic;
  };
  if (!std::all_of(names.begin(), names.end(), isGeneric))
    std::erase_if(names, isGeneric);
  return names;
}

Targets emptyTargets(const Query &query, const std::vector<OccurrenceAt> &names) {
  if (!names.empty())
    return {names.front().range, {}};
  return {{query.position, query.position}, {}};
}

// The path between quotes of an INCLUDE line or #include; empty range if it is none.
TextRange includedName(const Document &document, int number) {
  std::string_view line = document.line(number);
  size_t word = line.find_first_not_of(" \t");
  if (word == std::string_view::npos)
    return {};
  const bool directive = line[word] == '#';
  if (directive)
    word = line.find_first_not_of(" \t", word + 1);
  if (word == std::string_view::npos || lowerCase(line.substr(word, 7)) != "include")
    return {};
  size_t open = line.find_first_not_of(" \t", word + 7);
  if (open == std::string_view::npos ||
      std::string_view("'\"<").find(line[open]) == std::string::npos)
    return {};
  const char quote = line[open] == '<' ? '>' : line[open];
  size_t close = line.find(quote, open + 1);
  while (!directive && close != std::string_view::npos &&
         line.substr(close + 1, 1) == line.substr(open, 1))
    close = line.find(quote, close + 2); // two of them are one
  if (close == std::string_view::npos)
    return {};
  return {{number, static_cast<int>(open) + 2}, {number, static_cast<int>(close) + 1}};
}

bool includeAt(const Query &query, Targets &targets) {
  TextRange range = includedName(query.document(), query.position.line);
  if (range.begin == range.end || !query.file.analysis)
    return false;
  targets.origin = range;
  const std::string_view line = query.document().line(range.begin.line);
  std::string name(query.document().slice(range));
  if (line[line.find_first_not_of(" \t")] != '#')
    name = nameInLiteral(name, line[static_cast<size_t>(range.begin.column) - 2]);
  while (name.starts_with("./"))
    name.erase(0, 2);
  while (name.starts_with("../"))
    name.erase(0, 3);
  for (size_t i = 1; i < query.file.analysis->files.size(); ++i)
    if (const std::string &path = query.file.analysis->files[i];
        path == name || path.ends_with("/" + name))
      add(targets, Target{{path, {{1, 1}, {1, 1}}}, {{1, 1}, {1, 1}}});
  return true;
}

// What a macro declares, under a name that stands nowhere: the call of the macro.
std::optional<Target> madeByMacro(SymbolRef symbol) {
  const SymbolInfo &info = symbol.info();
  if (!info.module.empty() || info.intrinsic || info.declared.file >= 0)
    return std::nullopt;
  std::optional<Location> whole = locationOf(*symbol.file, info.definition);
  return whole ? std::optional(Target{*whole, whole->range}) : std::nullopt;
}

void addMacro(const Query &query, Targets &targets) {
  if (std::optional<Location> place = macroAt(query)) {
    targets.origin = wordAt(query.document(), query.position);
    add(targets, Target{*place, place->range});
  }
}

void addLaunches(const Query &query, SymbolRef kernel, Targets &targets) {
  for (const std::string &key : keysOf(query.workspace, kernel))
    for (const SourceFile *file : query.workspace.filesWith(key, kernel.file))
      for (int number : file->occurrencesOf(key)) {
        const Occurrence &occurrence = file->analysis->occurrences[static_cast<size_t>(number)];
        if (occurrence.role == Role::Launch)
          if (std::optional<Location> place = locationOf(*file, occurrence.place))
            add(targets, Target{*place, place->range});
      }
}

void addImplementations(const Query &query, SymbolRef symbol, Targets &targets, int depth = 0) {
  const Workspace &workspace = query.workspace;
  SymbolRef declared = declaredOr(workspace, symbol);
  const SymbolInfo &info = declared.info();
  if (depth > 8 || info.intrinsic)
    return;
  if (info.kind == SymbolKind::Generic || info.kind == SymbolKind::Binding) {
    for (SymbolRef one : familyOf(workspace, declared))
      for (int row : one.info().specifics)
        if (row >= 0)
          addImplementations(query, {one.file, row}, targets, depth + 1);
  } else if (info.kind == SymbolKind::DerivedType) {
    for (SymbolRef extension : extensionsOf(workspace, declared, true))
      add(targets, targetOf(extension));
  } else if (isProcedure(info)) {
    if (isKernel(info) && depth == 0)
      addLaunches(query, declared, targets);
    if (isKernel(info) && depth == 0 && !targets.list.empty())
      return;
    for (SymbolRef row : declarationsOf(workspace, declared))
      if (!isInterfaceBody(row) && row.info().ownScope >= 0)
        add(targets, targetOf(row));
  }
}

} // namespace

std::optional<Target> targetOf(SymbolRef symbol) {
  if (!symbol)
    return std::nullopt;
  const SymbolInfo &info = symbol.info();
  std::optional<Location> name = locationOf(*symbol.file, info.declared);
  if (!name)
    return std::nullopt;
  std::optional<Location> whole = locationOf(*symbol.file, info.definition);
  bool around = whole && whole->path == name->path && whole->range.begin <= name->range.begin &&
                name->range.end <= whole->range.end;
  return Target{*name, around ? whole->range : name->range};
}

Targets definition(const Query &query) {
  std::vector<OccurrenceAt> names = specificNamesAt(query);
  Targets targets = emptyTargets(query, names);
  if (names.empty() && includeAt(query, targets))
    return targets;
  for (const OccurrenceAt &name : names) {
    std::vector<SymbolRef> rows = declarationsOf(query.workspace, name.symbol);
    // At a binding's own declaration one already is; its procedure is what to see next.
    const SymbolInfo &info = name.symbol.info();
    if (info.kind == SymbolKind::Binding && name.role == Role::Declaration &&
        !info.specifics.empty() && info.specifics.front() >= 0)
      rows = declarationsOf(query.workspace, {name.symbol.file, info.specifics.front()});
    if (!rows.empty())
      add(targets, targetOf(rows.front()));
    else if (std::optional<Target> made = madeByMacro(name.symbol))
      add(targets, made);
  }
  if (targets.list.empty())
    addMacro(query, targets);
  return targets;
}

Targets declaration(const Query &query) {
  std::vector<OccurrenceAt> names = specificNamesAt(query);
  Targets targets = emptyTargets(query, names);
  if (names.empty() && includeAt(query, targets))
    return targets;
  for (const OccurrenceAt &name : names)
    if (std::vector<SymbolRef> rows = declarationsOf(query.workspace, name.symbol); !rows.empty())
      add(targets, targetOf(isInterfaceBody(rows.back()) ? rows.back() : rows.front()));
  return targets;
}

Targets typeDefinition(const Query &query) {
  std::vector<OccurrenceAt> names = specificNamesAt(query);
  Targets targets = emptyTargets(query, names);
  for (const OccurrenceAt &name : names)
    add(targets, targetOf(typeOf(query.workspace, name.symbol)));
  return targets;
}

Targets implementation(const Query &query) {
  std::vector<OccurrenceAt> names = specificNamesAt(query);
  Targets targets = emptyTargets(query, names);
  for (const OccurrenceAt &name : names)
    addImplementations(query, name.symbol, targets);
  return targets;
}

} // namespace cufc
