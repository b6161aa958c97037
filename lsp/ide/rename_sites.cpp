// Occurrences give the places; the text there decides: what reads otherwise has another name by USE
// and stays. What has no occurrence but belongs to the name is added: procedures that a binding
// means without naming them, and names in directives that are comments for the analysis.
#include "ide/rename_sites.h"
#include "base/source_text.h"
#include "ide/declaration.h"
#include "ide/lookup.h"
#include "ide/same_symbol.h"
#include "ide/types.h"
#include "source/statements.h"
#include <algorithm>
#include <cctype>

namespace cufc {
namespace {

const SymbolInfo &row(const SourceFile &file, int symbol) {
  return file.analysis->symbols[static_cast<size_t>(symbol)];
}

std::string lowerText(const Renaming &renaming, const Location &location) {
  return lowerCase(renaming.textOf(location.path).slice(location.range));
}

bool isLocalNameOfUse(const SourceFile &file, const std::string &name, bool inModule) {
  for (const ScopeInfo &scope : file.analysis->scopes)
    if (!inModule || scope.kind == ScopeKind::Module)
      for (const UseInfo &use : scope.uses)
        for (const std::string &one : use.names)
          if (lowerCase(one) == name)
            return true;
  return false;
}

bool isLocalNameAnywhere(const Workspace &workspace, const std::string &name) {
  for (const auto &[path, file] : workspace.files())
    if (file->analysis && isLocalNameOfUse(*file, name, false))
      return true;
  return false;
}

// A generic name and a type or a procedure may have one name in one scope: they keep that.
void addNamesakes(Renaming &renaming) {
  const SymbolInfo &info = renaming.symbol.info();
  if (info.scope < 0)
    return;
  const Analysis &analysis = *renaming.symbol.file->analysis;
  for (int other : analysis.scopes[static_cast<size_t>(info.scope)].symbols)
    if (other != renaming.symbol.symbol &&
        lowerCase(analysis.symbols[static_cast<size_t>(other)].name) == renaming.oldName &&
        analysis.symbols[static_cast<size_t>(other)].kind != SymbolKind::CommonBlock &&
        info.kind != SymbolKind::CommonBlock)
      for (const std::string &key : keysOf(renaming.workspace, {renaming.symbol.file, other}))
        renaming.keys.insert(key);
}

// The index of "(a(i), i = 1, n)" in an array constructor, of DO CONCURRENT and FORALL without a
// type of its own: it lives in the construct, but has its type from the name around it.
bool isUntypedIndex(const Renaming &renaming, SymbolRef symbol) {
  const SymbolInfo &info = symbol.info();
  std::optional<Location> place = locationOf(*symbol.file, info.declared);
  if (info.kind != SymbolKind::Variable || info.scope < 0 || !place ||
      symbol.file->analysis->scopes[static_cast<size_t>(info.scope)].kind != ScopeKind::Construct)
    return false;
  const TextRange &range = place->range;
  std::string_view line = renaming.textOf(place->path).line(range.begin.line);
  auto begin = std::min(line.size(), static_cast<size_t>(range.begin.column) - 1);
  auto end = std::min(line.size(), static_cast<size_t>(range.end.column) - 1);
  std::string_view before = line.substr(0, begin);
  size_t last = before.find_last_not_of(" \t");
  size_t next = line.find_first_not_of(" \t", end);
  return next != std::string_view::npos && line[next] == '=' && line.substr(next, 2) != "=>" &&
         (last == std::string_view::npos || before[last] != ':');
}

// What gives an index its type.
SymbolRef typedName(const Renaming &renaming, SymbolRef symbol) {
  for (int depth = 0; depth < 32 && isUntypedIndex(renaming, symbol); ++depth) {
    const Analysis &analysis = *symbol.file->analysis;
    int parent = analysis.scopes[static_cast<size_t>(symbol.info().scope)].parent;
    Found outer = lookUp(renaming.workspace, *symbol.file, parent, renaming.oldName);
    if (outer.symbols.empty())
      break;
    symbol = outer.symbols.front();
  }
  return symbol;
}

void addIndices(Renaming &renaming) {
  if (renaming.symbol.info().kind != SymbolKind::Variable)
    return;
  for (const SourceFile *file :
       renaming.workspace.filesWith(renaming.symbol.key(), renaming.symbol.file))
    for (size_t i = 0; i < file->analysis->symbols.size(); ++i) {
      SymbolRef index{file, static_cast<int>(i)};
      if (lowerCase(index.info().name) == renaming.oldName && isUntypedIndex(renaming, index) &&
          typedName(renaming, index).key() == renaming.symbol.key())
        renaming.keys.insert(index.key());
    }
}

// An extended type has a component that is named as its parent: then the parent.
SymbolRef parentNamed(const Renaming &renaming) {
  if (renaming.symbol.info().kind != SymbolKind::Component)
    return {};
  SymbolRef parent = parentOf(renaming.workspace, typeAround(renaming.workspace, renaming.symbol));
  return parent && lowerCase(parent.info().name) == renaming.oldName ? parent : SymbolRef{};
}

// Procedures that override each other agree in the names of their dummies.
void addOverriddenDummies(Renaming &renaming) {
  const SymbolInfo &info = renaming.symbol.info();
  if (info.dummyOf < 0)
    return;
  for (SymbolRef binding : bindingsTo(renaming.workspace, {renaming.symbol.file, info.dummyOf}))
    for (SymbolRef member : familyOf(renaming.workspace, binding))
      for (int specific : member.info().specifics)
        if (specific >= 0)
          for (const std::string &key : keysOf(renaming.workspace, {member.file, specific}))
            renaming.keys.insert(key + "/" + renaming.oldName);
}

// A call of a generic name is one of the specific procedure too, under another name.
bool isNameOfNeighbour(const SourceFile &file, int number, const std::string &text) {
  const std::vector<Occurrence> &all = file.analysis->occurrences;
  for (int other : {number - 1, number + 1})
    if (other >= 0 && other < static_cast<int>(all.size())) {
      const Occurrence &neighbour = all[static_cast<size_t>(other)];
      if (neighbour.symbol >= 0 && neighbour.place == all[static_cast<size_t>(number)].place &&
          lowerCase(row(file, neighbour.symbol).name) == text)
        return true;
    }
  return false;
}

void addOccurrence(Renaming &renaming, const SourceFile &file, int number) {
  const Occurrence &occurrence = file.analysis->occurrences[static_cast<size_t>(number)];
  std::optional<Location> location = locationOf(file, occurrence.place);
  if (!location)
    return renaming.refuse("the text changed there since it was last analysed: " + file.path);
  std::string text = lowerText(renaming, *location);
  if (text == renaming.oldName) {
    renaming.sites.push_back({&file, number, *location, ""});
    return;
  }
  bool isName =
      !text.empty() && (std::isalnum(static_cast<unsigned char>(text[0])) || text[0] == '_');
  if (!isName) // an operator that means the procedure
    return;
  bool otherName = renaming.alias || isNameOfNeighbour(file, number, text) ||
                   isLocalNameAnywhere(renaming.workspace, text);
  if (!otherName)
    renaming.refuse("'" + renaming.oldName + "' does not stand any more at " +
                    placeText(*location) + "; the file has changed since it was analysed");
}

// "procedure :: area" without "=>" names a binding and its procedure at once.
bool isImpliedTarget(const Renaming &renaming, SymbolRef binding, const Location &location) {
  const SymbolInfo &info = binding.info();
  if (info.specifics.empty() || info.specifics.front() < 0 ||
      lowerCase(row(*binding.file, info.specifics.front()).name) != lowerCase(info.name) ||
      isInterfaceBody(declaredOr(renaming.workspace, {binding.file, info.specifics.front()})))
    return false;
  std::string_view line = renaming.textOf(location.path).line(location.range.end.line);
  size_t next = line.find_first_not_of(
      " \t", std::min(line.size(), static_cast<size_t>(location.range.end.column) - 1));
  return next == std::string_view::npos || line.substr(next, 2) != "=>";
}

// For "procedure :: area" the analysis may know the procedure alone to be named there.
void addBindings(Renaming &renaming) {
  if (renaming.alias || renaming.symbol.info().kind != SymbolKind::Binding)
    return;
  for (SymbolRef member : familyOf(renaming.workspace, renaming.symbol)) {
    std::optional<Location> location = locationOf(*member.file, member.info().declared);
    if (!location || member.info().kind != SymbolKind::Binding)
      continue;
    std::erase_if(renaming.sites,
                  [&](const RenameSite &site) { return site.location == *location; });
    std::string text(renaming.textOf(location->path).slice(location->range));
    bool implied = isImpliedTarget(renaming, member, *location);
    renaming.sites.push_back(
        {member.file, -1, *location, implied ? renaming.newName + " => " + text : ""});
  }
}

void separateImpliedTargets(Renaming &renaming) {
  if (!isProcedure(renaming.symbol.info()))
    return;
  for (SymbolRef binding : bindingsTo(renaming.workspace, renaming.symbol)) {
    const SymbolInfo &info = binding.info();
    std::optional<Location> location = locationOf(*binding.file, info.declared);
    if (!location || info.specifics.empty() || info.specifics.front() < 0 ||
        !renaming.keys.contains(
            binding.file->keys()[static_cast<size_t>(info.specifics.front())]) ||
        !isImpliedTarget(renaming, binding, *location))
      continue;
    std::erase_if(renaming.sites,
                  [&](const RenameSite &site) { return site.location == *location; });
    std::string text(renaming.textOf(location->path).slice(location->range));
    renaming.sites.push_back({binding.file, -1, *location, text + " => " + renaming.newName});
  }
}

// Calls visit for each word of a directive such as !$acc that can be a name, with its place: those
// of clauses and of the directive itself are not in parentheses, nor between the <<< and >>> of
// !$cuf. Behind !$ and a blank is a statement.
template <typename Visit>
void forEachDirectiveWord(const SourceFile &file, const Document &document, const Visit &visit) {
  if (document.text().find("!$") == std::string::npos &&
      !(file.reading.fixedForm && document.text().find('$') != std::string::npos))
    return;
  auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  forEachStatementAndComment(
      document.text(), file.reading.fixedForm, file.reading.columns, [](const Statement &) {},
      [&](const SourceComment &comment) {
        if (comment.text.size() < 5 || comment.text[1] != '$')
          return;
        int depth = isWord(comment.text[2]) ? 0 : 1;
        for (size_t i = 2; i < comment.text.size(); ++i) {
          depth += comment.text[i] == '(' || comment.text.compare(i, 3, "<<<") == 0;
          depth -= comment.text[i] == ')' || comment.text.compare(i, 3, ">>>") == 0;
          if (!isWord(comment.text[i]))
            continue;
          size_t end = i;
          while (end < comment.text.size() && isWord(comment.text[end]))
            ++end;
          TextPosition begin{comment.line, comment.column + static_cast<int>(i)};
          if (depth > 0)
            visit(lowerCase(comment.text.substr(i, end - i)),
                  TextRange{begin, {begin.line, begin.column + static_cast<int>(end - i)}});
          i = end - 1;
        }
      });
}

void addDirectives(Renaming &renaming) {
  std::set<const SourceFile *> files;
  for (const RenameSite &site : renaming.sites)
    files.insert(site.file);
  for (const SourceFile *file : files)
    forEachDirectiveWord(
        *file, renaming.textOf(file->path), [&](const std::string &word, const TextRange &range) {
          if (word != renaming.oldName)
            return;
          TextPosition before = file->edits.before(range.begin);
          Place place{0, before.line, before.column, before.line, before.column};
          Found found =
              lookUp(renaming.workspace, *file, scopeAround(*file->analysis, place), word);
          for (SymbolRef symbol : found.symbols)
            if (renaming.keys.contains(symbol.key()))
              renaming.sites.push_back({file, -1, {file->path, range}, ""});
        });
}

// A file that several others include is several texts; so is one that is included twice.
void checkIncluded(Renaming &renaming) {
  for (const RenameSite &site : renaming.sites) {
    if (site.location.path == site.file->path)
      continue;
    size_t includers = 0;
    for (const auto &[path, file] : renaming.workspace.files())
      if (file->analysis && path != site.location.path) // which may be open
        includers += static_cast<size_t>(std::count(
            file->analysis->files.begin(), file->analysis->files.end(), site.location.path));
    bool twice = false;
    if (site.occurrence >= 0) {
      const Occurrence &occurrence =
          site.file->analysis->occurrences[static_cast<size_t>(site.occurrence)];
      for (const Occurrence &other : site.file->analysis->occurrences)
        twice |= other.place == occurrence.place && other.symbol >= 0 &&
                 !renaming.keys.contains(site.file->keys()[static_cast<size_t>(other.symbol)]);
    }
    if (includers > 1 || twice)
      return renaming.refuse("'" + renaming.oldName + "' is named in " + placeText(site.location) +
                             ", which is included more than once");
  }
}

bool isNamedByUse(const Analysis &analysis, const std::string &word) {
  for (const ScopeInfo &scope : analysis.scopes)
    for (const UseInfo &use : scope.uses)
      for (const std::string &name : use.names)
        if (lowerCase(name) == word)
          return true;
  return false;
}

} // namespace

bool isDefinedOperator(const std::string &name) {
  constexpr size_t dots = 2;
  return name.size() > dots && name.front() == '.' && name.back() == '.' &&
         std::all_of(name.begin() + 1, name.end() - 1,
                     [](unsigned char c) { return std::isalpha(c) != 0; });
}

bool isIntrinsicOperator(const std::string &text) {
  static const std::set<std::string> dotted = {".lt.",  ".le.", ".eq.",  ".ne.",  ".ge.",  ".gt.",
                                               ".and.", ".or.", ".not.", ".eqv.", ".neqv."};
  bool isName =
      !text.empty() && (std::isalnum(static_cast<unsigned char>(text[0])) || text[0] == '_');
  return !isName && (!isDefinedOperator(text) || dotted.contains(text));
}

std::string Renaming::lowerNewName() const { return lowerCase(newName); }

const SymbolInfo &Renaming::symbolOf(const RenameSite &site) const {
  if (site.occurrence < 0)
    return symbol.info();
  const Analysis &analysis = *site.file->analysis;
  int number = analysis.occurrences[static_cast<size_t>(site.occurrence)].symbol;
  return analysis.symbols[static_cast<size_t>(number)];
}

std::string placeText(const Location &location) {
  size_t slash = location.path.rfind('/');
  std::string name = slash == std::string::npos ? location.path : location.path.substr(slash + 1);
  return name + ":" + std::to_string(location.range.begin.line);
}

int scopeAround(const Analysis &analysis, const Place &place) {
  int result = analysis.scopes.empty() ? -1 : 0;
  TextPosition begin{place.line, place.column};
  for (size_t i = 1; i < analysis.scopes.size(); ++i) { // children behind their parents
    const Place &scope = analysis.scopes[i].place;
    if (scope.file == place.file && rangeOf(scope).contains(begin))
      result = static_cast<int>(i);
  }
  return result;
}

Renaming renamingAt(const Query &query, const TextOf &textOf) {
  Renaming renaming{query.workspace, textOf, {}, "", "", false, nullptr, {}, {}, ""};
  std::vector<OccurrenceAt> names = occurrencesAt(query);
  if (names.empty())
    return renaming;
  renaming.oldName = lowerCase(query.document().slice(names.front().range));
  if (names.front().symbol.info().kind != SymbolKind::Label &&
      isIntrinsicOperator(renaming.oldName)) {
    renaming.symbol = names.front().symbol;
    renaming.refuse("an operator of the language cannot be renamed");
    return renaming;
  }
  const OccurrenceAt *chosen = nullptr;
  for (const OccurrenceAt &name : names)
    if (lowerCase(name.symbol.info().name) == renaming.oldName &&
        (!chosen || name.symbol.info().kind == SymbolKind::Binding))
      chosen = &name;
  renaming.alias = !chosen;
  if (!chosen)
    chosen = &names.front();
  renaming.symbol = query.workspace.declarationOf(chosen->symbol);
  if (!renaming.symbol) {
    std::vector<SymbolRef> rows = declarationsOf(query.workspace, chosen->symbol);
    renaming.symbol = rows.empty() ? SymbolRef{} : rows.front();
  }
  // Neither USE nor a declaration has the word: the compiler has put something else in its place.
  bool replaced = renaming.alias &&
                  !locationOf(*chosen->symbol.file, chosen->symbol.info().declared) &&
                  !isNamedByUse(*query.file.analysis, renaming.oldName);
  if (replaced || (!renaming.symbol && !renaming.alias)) {
    renaming.symbol = chosen->symbol;
    renaming.refuse("'" + std::string(query.document().slice(chosen->range)) +
                    "' is not declared in the workspace and cannot be renamed");
    return renaming;
  }
  if (!renaming.symbol)
    renaming.symbol = chosen->symbol;
  if (SymbolRef parent = parentNamed(renaming)) {
    renaming.symbol = parent;
    for (const std::string &key : keysOf(query.workspace, parent))
      renaming.keys.insert(key);
  }
  for (const OccurrenceAt &name : names)
    if (renaming.alias || name.symbol.key() == chosen->symbol.key())
      for (const std::string &key : keysOf(query.workspace, name.symbol))
        renaming.keys.insert(key);
  if (renaming.alias && !isLocalNameOfUse(query.file, renaming.oldName, true))
    renaming.only = &query.file;
  if (!renaming.alias) {
    renaming.symbol = typedName(renaming, renaming.symbol);
    renaming.keys.insert(renaming.symbol.key());
    addIndices(renaming);
    addNamesakes(renaming);
    addOverriddenDummies(renaming);
  }
  return renaming;
}

void findSites(Renaming &renaming) {
  for (const std::string &key : renaming.keys)
    for (const SourceFile *file : renaming.workspace.filesWith(key, renaming.symbol.file))
      if (!renaming.only || file == renaming.only)
        for (int number : file->occurrencesOf(key))
          addOccurrence(renaming, *file, number);
  addBindings(renaming);
  separateImpliedTargets(renaming);
  addDirectives(renaming);
  findPassedNames(renaming);
  std::vector<RenameSite> &sites = renaming.sites;
  std::sort(sites.begin(), sites.end(), [](const RenameSite &a, const RenameSite &b) {
    return std::tie(a.location, b.newText) < std::tie(b.location, a.newText);
  });
  auto same = [](const RenameSite &a, const RenameSite &b) { return a.location == b.location; };
  sites.erase(std::unique(sites.begin(), sites.end(), same), sites.end());
  checkIncluded(renaming);
}

} // namespace cufc
