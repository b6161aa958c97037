// See rename_checks.h: checks of the symbol, of the new name and of the texts.
#include "ide/rename_checks.h"
#include "base/source_text.h"
#include "ide/declaration.h"
#include "ide/rename_words.h"
#include "ide/same_symbol.h"
#include "ide/types.h"
#include "index/module_view.h"
#include "source/statement_words.h"
#include "source/statements.h"
#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

namespace cufc {
namespace {

constexpr size_t longestName = 63; // Fortran 2018, 6.2.2

// Fortran 2023, C729. BYTE and DOUBLE COMPLEX are extensions.
bool isIntrinsicType(const std::string &name) {
  return hasRole(name, word_role::Type) && name != "type" && name != "class" && name != "double" &&
         name != "precision";
}

bool hasAttribute(const SymbolInfo &symbol, const char *attribute) {
  return std::find(symbol.attributes.begin(), symbol.attributes.end(), attribute) !=
         symbol.attributes.end();
}

// The statement in which a site stands, in lower case without blanks; "" if there is none.
std::string statementAt(const Renaming &renaming, const SourceFile &file, const TextRange &range) {
  std::string text;
  forEachStatementOf(renaming, file, [&](const Statement &statement) {
    if (standsAt(statement, range))
      text = lowerCase(statement.text);
  });
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
  return text;
}

// The compiler gives the linker the name of the procedure or variable, unless another is given.
void checkLinkage(Renaming &renaming) {
  const SymbolInfo &info = renaming.symbol.info();
  bool named = isProcedure(info) || info.kind == SymbolKind::Variable;
  if (named && hasAttribute(info, "bind(c)")) {
    std::string statement = statementAt(renaming, *renaming.symbol.file, rangeOf(info.declared));
    if (std::optional<Location> place = locationOf(*renaming.symbol.file, info.declared))
      statement = statementAt(renaming, *renaming.symbol.file, place->range);
    if (statement.find("name=") == std::string::npos)
      renaming.refuse("'" + info.name +
                      "' has BIND(C) without NAME=: code in C knows it by this "
                      "name, which the linker would not find any more");
  }
  bool external = isProcedure(info) && renaming.symbol.key().starts_with("/");
  std::vector<SymbolRef> rows = declarationsOf(renaming.workspace, renaming.symbol);
  if (external && info.dummyOf < 0 &&
      (rows.empty() || rows.front().info().ownScope < 0 || isInterfaceBody(rows.front())))
    renaming.refuse("the procedure '" + info.name + "' is defined outside of the workspace");
}

// Input files of READ with NML= name the group and its variables.
void checkNamelist(Renaming &renaming, std::string *warning) {
  const SymbolInfo &info = renaming.symbol.info();
  bool member = info.kind == SymbolKind::Namelist;
  std::set<const SourceFile *> files;
  for (const RenameSite &site : renaming.sites)
    files.insert(site.file);
  for (const SourceFile *file : files) {
    const std::vector<SymbolInfo> &symbols = file->analysis->symbols;
    if (member || std::none_of(symbols.begin(), symbols.end(), [](const SymbolInfo &symbol) {
          return symbol.kind == SymbolKind::Namelist && symbol.declared.file >= 0;
        }))
      continue;
    forEachStatementOf(renaming, *file, [&](const Statement &statement) {
      if (!member && lowerCase(statement.text).starts_with("namelist"))
        for (const RenameSite &site : renaming.sites)
          member |= site.file == file && standsAt(statement, site.location.range);
    });
  }
  if (!member)
    return;
  std::string reason = "'" + info.name + "' is a name of a NAMELIST: input files may contain it";
  if (warning)
    *warning = reason;
  else
    renaming.refuse(reason);
}

// The first letter gives the type.
void checkImplicit(Renaming &renaming) {
  const SymbolInfo &info = renaming.symbol.info();
  if (info.implicit && !renaming.alias && !renaming.newName.empty() &&
      renaming.lowerNewName().front() != renaming.oldName.front())
    renaming.refuse("'" + info.name +
                    "' has its type from its first letter, which the new name must keep");
}

bool hasErrors(const Analysis &analysis) {
  return std::any_of(analysis.diagnostics.begin(), analysis.diagnostics.end(),
                     [](const Diagnostic &d) { return d.severity == Severity::Error; });
}

// The procedure or main program that a symbol is local to.
const ScopeInfo *procedureOf(SymbolRef symbol) {
  const Analysis &analysis = *symbol.file->analysis;
  int scope = symbol.info().kind == SymbolKind::Label
                  ? scopeAround(analysis, symbol.info().declared)
                  : symbol.info().scope;
  for (; scope > 0; scope = analysis.scopes[static_cast<size_t>(scope)].parent) {
    const ScopeInfo &row = analysis.scopes[static_cast<size_t>(scope)];
    if (row.kind == ScopeKind::Subprogram || row.kind == ScopeKind::MainProgram)
      return &row;
  }
  return nullptr;
}

bool standsFirst(const Statement &statement, const TextRange &word) {
  const Statement::Place &first = statement.places.front();
  return first.line == word.begin.line && first.column == word.begin.column;
}

// Whether a word may be the keyword of an argument: "name =" in a list.
bool isKeyword(const Document &document, const Statement &statement, const TextRange &word) {
  if (statement.places.empty() || standsFirst(statement, word))
    return false;
  std::string_view line = document.line(word.end.line);
  std::string_view before = line.substr(0, static_cast<size_t>(word.begin.column) - 1);
  size_t last = before.find_last_not_of(" \t");
  if (last != std::string_view::npos && before[last] != '(' && before[last] != ',' &&
      before[last] != '&')
    return false;
  std::string_view behind =
      line.substr(std::min(line.size(), static_cast<size_t>(word.end.column) - 1));
  size_t next = behind.find_first_not_of(" \t");
  return next != std::string_view::npos && behind[next] == '=' && behind.substr(next, 2) != "==" &&
         behind.substr(next, 2) != "=>";
}

// Places of the old name without any occurrence, where code may mean the symbol and nobody knows:
// behind errors, in branches that the preprocessor leaves out.
void checkUnknownPlaces(Renaming &renaming, const SourceFile &file) {
  const Document &document = renaming.textOf(file.path);
  const Analysis &analysis = *file.analysis;
  bool branches =
      document.text().find("\n#") != std::string::npos || document.text().starts_with("#");
  if (analysis.complete && !hasErrors(analysis) && !branches)
    return;
  std::set<TextPosition> known;
  for (const Occurrence &occurrence : analysis.occurrences)
    if (occurrence.place.file == 0)
      if (std::optional<TextRange> now = file.now(occurrence.place))
        known.insert(now->begin);
  for (const RenameSite &site : renaming.sites)
    if (site.location.path == file.path)
      known.insert(site.location.range.begin);
  // A local name means nothing outside of its procedure, but that callers may name a dummy.
  const SymbolInfo &info = renaming.symbol.info();
  const bool isOwn = renaming.symbol.file == &file;
  TextRange where = document.all();
  where.end.line += 1;
  bool keywords = false;
  if (const ScopeInfo *scope = procedureOf(renaming.symbol)) {
    std::optional<TextRange> range = file.now(scope->place);
    if (isOwn && range)
      where = *range;
    if (!isOwn && info.dummyOf < 0)
      return;
    keywords = !isOwn;
  }
  forEachStatementOf(renaming, file, [&](const Statement &statement) {
    forEachWord(statement, [&](const std::string &word, const TextRange &range) {
      if (word == renaming.oldName && where.contains(range.begin) && !known.contains(range.begin) &&
          (!keywords || isKeyword(document, statement, range)))
        renaming.refuse("it is not known what '" + renaming.oldName + "' means at " +
                        placeText({file.path, range}) +
                        ", behind an error or left out by the preprocessor");
    });
  });
}

// A name in the text of a macro means something else wherever the macro stands. Its parameters are
// names of its own.
void checkMacroTexts(Renaming &renaming, const SourceFile &file) {
  const Document &document = renaming.textOf(file.path);
  if (document.text().find("define") == std::string::npos)
    return;
  for (int number = 1; number <= document.lineCount(); ++number) {
    Statement statement;
    statement.text = document.line(number);
    size_t first = statement.text.find_first_not_of(" \t");
    if (first == std::string::npos || statement.text[first] != '#')
      continue;
    for (size_t i = 0; i < statement.text.size(); ++i)
      statement.places.push_back({number, static_cast<int>(i) + 1});
    std::vector<std::pair<std::string, TextRange>> words;
    forEachWord(statement, [&](const std::string &word, const TextRange &range) {
      words.emplace_back(word, range);
    });
    if (words.size() < 3 || words[0].first != "define")
      continue;
    int parameters = words[1].second.end.column; // a macro's name and "(" are one
    if (std::string_view rest = std::string_view(statement.text).substr(parameters - 1);
        rest.starts_with('('))
      parameters += static_cast<int>(std::min(rest.find(')'), rest.size()));
    bool own = false, found = false;
    for (size_t i = 2; i < words.size(); ++i)
      if (words[i].first == renaming.oldName)
        (words[i].second.begin.column < parameters ? own : found) = true;
    if (found && !own)
      renaming.refuse("the macro at " + placeText({file.path, words[1].second}) + " names '" +
                      renaming.oldName + "', and what that means depends on where it is used");
  }
}

// What stands behind the last column of fixed form is no code.
void checkLineLength(Renaming &renaming, const SourceFile &file) {
  if (!file.reading.fixedForm || renaming.newName.size() <= renaming.oldName.size())
    return;
  size_t longer = renaming.newName.size() - renaming.oldName.size();
  std::map<int, size_t> names;
  for (const RenameSite &site : renaming.sites)
    if (site.location.path == file.path)
      ++names[site.location.range.begin.line];
  for (auto [line, count] : names) {
    std::string_view text = renaming.textOf(file.path).line(line);
    if (text.size() + count * longer > static_cast<size_t>(file.reading.columns))
      renaming.refuse("line " + placeText({file.path, {{line, 1}, {line, 1}}}) +
                      " would go beyond the last column of fixed form");
  }
}

} // namespace

namespace {

// The dots may be left out.
void checkNewOperator(Renaming &renaming) {
  std::string name = renaming.newName;
  if (!name.starts_with('.'))
    name = "." + name + ".";
  renaming.newName = name;
  if (!isDefinedOperator(name) || name.size() > longestName + 2 ||
      isIntrinsicOperator(lowerCase(name)) || lowerCase(name) == ".true." ||
      lowerCase(name) == ".false.")
    renaming.refuse("'" + name + "' is no operator: letters between two dots");
}

} // namespace

void checkSymbol(Renaming &renaming, std::string *warning) {
  const SymbolInfo &info = renaming.symbol.info();
  if (info.kind != SymbolKind::Label && !isDefinedOperator(renaming.oldName) &&
      !std::all_of(renaming.oldName.begin(), renaming.oldName.end(), isNameCharacter))
    renaming.refuse("an operator cannot be renamed");
  if (renaming.alias)
    return;
  if (SymbolRef declared = renaming.workspace.declarationOf(renaming.symbol);
      declared && isModuleView(declared.file->path))
    return renaming.refuse("'" + info.name + "' is declared in a module without a source here");
  checkLinkage(renaming);
  checkImplicit(renaming);
  checkNamelist(renaming, warning);
}

void checkNewName(Renaming &renaming) {
  if (isDefinedOperator(renaming.oldName))
    return checkNewOperator(renaming);
  const std::string &name = renaming.newName;
  auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
  if (renaming.symbol.info().kind == SymbolKind::Label) {
    if (name.empty() || name.size() > 5 || !std::all_of(name.begin(), name.end(), isDigit) ||
        name.find_first_not_of('0') == std::string::npos)
      renaming.refuse("a label consists of one to five digits, not all zero");
    return;
  }
  if (name.empty() || !std::isalpha(static_cast<unsigned char>(name.front())) ||
      !std::all_of(name.begin(), name.end(), isNameCharacter))
    renaming.refuse("'" + name + "' is no name: a letter, then letters, digits and underscores");
  else if (name.size() > longestName)
    renaming.refuse("a name has at most 63 characters");
  else if (renaming.symbol.info().kind == SymbolKind::DerivedType &&
           isIntrinsicType(renaming.lowerNewName()))
    renaming.refuse("'" + name + "' is an intrinsic type, whose name no other type can have");
}

void checkTexts(Renaming &renaming) {
  std::set<const SourceFile *> files{renaming.symbol.file};
  for (const RenameSite &site : renaming.sites)
    files.insert(site.file);
  if (!renaming.only && !renaming.symbol.key().starts_with("file:"))
    for (const SourceFile *file :
         renaming.workspace.filesWith(renaming.symbol.key(), renaming.symbol.file))
      files.insert(file);
  for (const SourceFile *file : files) {
    checkUnknownPlaces(renaming, *file);
    checkMacroTexts(renaming, *file);
    checkLineLength(renaming, *file);
  }
}

} // namespace cufc
