// The words before the cursor decide what may stand there (cursor_context.h); `situations` is the
// list of the cases, of which the first that fits is taken.
#include "ide/completion.h"
#include "base/source_text.h"
#include "ide/completion_situation.h"
#include "ide/completion_words.h"
#include "ide/declaration.h"
#include "ide/hover.h"
#include "ide/openmp_words.h"
#include "source/statement_words.h"
#include <algorithm>

namespace cufc {
namespace {

bool isTypeWord(std::string_view word) {
  return hasRole(word, word_role::Type) || word == "procedure";
}

// "integer", not "integer = 3".
bool isDeclaration(const CursorContext &context) {
  return !context.tokens.empty() && isTypeWord(context.tokens[0].text) &&
         (context.tokens.size() < 2 ||
          !(context.tokens[1].is("=") || context.tokens[1].is("%") || context.tokens[1].is("is")));
}

bool hasDoubleColon(const CursorContext &context) {
  return std::any_of(context.tokens.begin(), context.tokens.end(),
                     [](const Token &token) { return token.is("::"); });
}

void expression(Situation &at) {
  Wanted values;
  values.data = values.functions = values.constants = true;
  at.items.fitting(values);
  at.items.unknownWords();
}

void types(Situation &at) {
  Wanted wanted;
  wanted.types = true;
  at.items.fitting(wanted);
  at.items.unknownWords();
}

// The component that stands for the parent type comes last; behind CALL bindings come first.
Rank memberRank(SymbolRef member, bool call) {
  const SymbolInfo &info = member.info();
  if (info.kind == SymbolKind::Component && info.typeSymbol >= 0 &&
      std::find(info.attributes.begin(), info.attributes.end(), "pointer") ==
          info.attributes.end() &&
      member.file->analysis->symbols[static_cast<size_t>(info.typeSymbol)].name == info.name)
    return Rank::Imported;
  return call && info.kind != SymbolKind::Binding ? Rank::Host : Rank::Best;
}

bool members(Situation &at) {
  if (!at.lastIs("%"))
    return false;
  Designator designator = designatorBefore(at.context.tokens, at.context.tokens.size() - 1);
  if (designator.names.empty())
    return at.items.unknownWords(), true;
  const VisibleNames &names = at.items.names();
  TypeRef type = names.typeOf(names.resolve(designator.names));
  bool call = designator.begin > 0 && at.context.tokens[designator.begin - 1].is("call");
  for (SymbolRef member : names.membersOf(type))
    if (at.items.matches(member.info().name) && names.isAccessible(member))
      at.items.symbol(member.info().name, member, memberRank(member, call), false);
  if (type.entry)
    for (const ApiArgument &component : type.entry->components)
      at.items.word(component.name.substr(0, component.name.find('(')), Rank::Best,
                    type.entry->name, component.name, CompletionKind::Component);
  if (!type)
    at.items.unknownWords();
  return true;
}

bool callStatement(Situation &at) {
  if (!at.lastIs("call"))
    return false;
  Wanted wanted;
  wanted.subroutines = true;
  wanted.objects = !at.context.prefix.empty(); // "call object%method()"
  at.items.fitting(wanted, true);
  at.items.unknownWords();
  return true;
}

bool endWord(Situation &at) {
  const std::vector<Token> &tokens = at.context.tokens;
  if (tokens.empty() || tokens.size() > 2 || !at.context.startsWith("end") || at.bracket())
    return false;
  endStatement(at.items, at.query, at.context);
  return true;
}

bool insideAttributes(Situation &at) {
  std::string word = at.bracketWord();
  if (word == "attributes") {
    procedurePrefixes(at.items);
    if (at.bracket()->token == 1)
      attributeWords(at.items);
    return true;
  }
  if (word == "intent") {
    for (const char *intent : {"in", "out", "inout"})
      at.items.keyword(intent, Rank::Best);
    return true;
  }
  return false;
}

bool typeName(Situation &at) {
  std::string word = at.bracketWord();
  const OpenBracket *open = at.bracket();
  if (!open || at.context.tokens.size() != open->token + 1)
    return false;
  size_t before = open->token - 1;
  const std::vector<Token> &tokens = at.context.tokens;
  bool guard = before == 1 && word == "is" && (tokens[0].is("type") || tokens[0].is("class"));
  bool declares = (word == "type" || word == "class") && !(before > 0 && tokens[0].is("select"));
  if (!declares && word != "extends" && !guard)
    return false;
  types(at);
  return true;
}

// The kind of a type: "integer(", "real(kind=".
bool kindParameter(Situation &at) {
  const OpenBracket *open = at.bracket();
  if (!open || open->token != 1 || !isDeclaration(at.context) || at.context.startsWith("procedure"))
    return false;
  Wanted wanted;
  wanted.constants = true;
  if (open->keyword.empty())
    at.items.keyword("kind=", Rank::Best);
  if (open->keyword.empty() && at.context.startsWith("character"))
    at.items.keyword("len=", Rank::Best);
  wanted.data = at.context.startsWith("character"); // "len=n"
  wanted.functions = true;                          // "kind=kind(1.0)"
  at.items.fitting(wanted);
  at.items.unknownWords();
  return true;
}

// Behind "=>" of PROCEDURE and GENERIC stand procedures.
void initialValue(Situation &at) {
  if (!at.context.startsWith("procedure") && !at.context.startsWith("generic"))
    return expression(at);
  Wanted wanted;
  wanted.functions = wanted.subroutines = true;
  at.items.fitting(wanted);
  at.items.unknownWords();
}

bool declaration(Situation &at) {
  if (at.bracket() || !isDeclaration(at.context))
    return false;
  const std::vector<Token> &tokens = at.context.tokens;
  if (!hasDoubleColon(at.context)) {
    if (!at.lastIs(",")) {
      if (!at.lastIs("procedure"))
        at.items.keyword("function", Rank::Keyword);
      return true;
    }
    if (at.context.startsWith("type") && tokens.size() > 1 && tokens[1].is(","))
      typeAttributeWords(at.items);
    else
      attributeWords(at.items);
    return true;
  }
  // Behind "::" new names are written, and values behind "=".
  for (size_t i = tokens.size(); i > 0; --i) {
    const auto &token = tokens[i - 1];
    if (token.is("::") || token.is(","))
      break;
    if (token.is("=") || token.is("=>"))
      return initialValue(at), true;
  }
  if (tokens[0].is("procedure")) // names of bound procedures are those of procedures
    initialValue(at);
  return true;
}

bool chevrons(Situation &at) {
  if (!at.bracket() || at.bracket()->kind != '<')
    return false;
  expression(at);
  return true;
}

// "name=" of the dummies that are not given yet.
void dummyKeywords(Situation &at, const OpenBracket &open) {
  auto offer = [&](const std::string &name, int number) {
    bool given = number < open.argument && open.used.empty();
    given |= std::find(open.used.begin(), open.used.end(), lowerCase(name)) != open.used.end();
    if (!given)
      at.items.word(name + "=", open.used.empty() ? Rank::Imported : Rank::Best, {}, {},
                    CompletionKind::Argument);
  };
  Designator designator = designatorBefore(at.context.tokens, open.token);
  NamedThing thing =
      designator.names.empty() ? NamedThing{} : at.items.names().resolve(designator.names);
  if (thing.entry && thing.entry->isProcedure())
    for (size_t i = 0; i < thing.entry->arguments.size(); ++i)
      offer(thing.entry->arguments[i].name, static_cast<int>(i));
  if (!thing.symbol)
    return;
  const Analysis &analysis = *thing.symbol.file->analysis;
  const SymbolInfo &info = thing.symbol.info();
  bool bound = info.kind == SymbolKind::Binding;
  std::vector<int> procedures = info.specifics;
  if (isProcedure(info))
    procedures = {thing.symbol.symbol};
  for (int procedure : procedures)
    if (procedure >= 0) {
      const std::vector<int> &dummies = analysis.symbols[static_cast<size_t>(procedure)].dummies;
      for (size_t i = bound ? 1 : 0; i < dummies.size(); ++i)
        if (dummies[i] >= 0)
          offer(analysis.symbols[static_cast<size_t>(dummies[i])].name,
                static_cast<int>(i) - (bound ? 1 : 0));
    }
  if (info.kind == SymbolKind::DerivedType) {
    std::vector<SymbolRef> components = at.items.names().membersOf({thing.symbol, nullptr});
    for (size_t i = 0; i < components.size(); ++i)
      if (components[i].info().kind == SymbolKind::Component)
        offer(components[i].info().name, static_cast<int>(i));
  }
}

bool argumentList(Situation &at) {
  const OpenBracket *open = at.bracket();
  if (!open || open->kind != '(')
    return false;
  bool begins = open->argumentBegin == at.context.tokens.size();
  if (begins && open->token > 0)
    if (!(open->token == 1 && specifierWords(at.items, at.bracketWord())))
      dummyKeywords(at, *open);
  expression(at);
  return true;
}

bool statementStart(Situation &at) {
  const std::vector<Token> &tokens = at.context.tokens;
  bool logicalIf =
      !tokens.empty() && tokens[0].is("if") && at.context.open.empty() && at.lastIs(")");
  if (!tokens.empty() && !logicalIf)
    return false;
  if (logicalIf)
    at.items.keyword("then", Rank::Best);
  else
    snippetItems(at.items);
  if (!logicalIf && (at.context.prefix.empty() || lowerCase(at.context.prefix)[0] == 'e'))
    endStatement(at.items, at.query, at.context);
  statementWords(at.items);
  Wanted wanted;
  wanted.data = wanted.subroutines = true;
  at.items.beginStatement();
  at.items.fitting(wanted, true);
  at.items.unknownWords();
  return true;
}

// Words behind "attributes(global)" and the other prefixes of a procedure.
bool procedurePrefix(Situation &at) {
  if (at.context.tokens.empty() || at.bracket() ||
      !hasRole(at.context.tokens[0].text, word_role::Prefix) || hasDoubleColon(at.context))
    return false;
  if (at.lastIs("module"))
    at.items.keyword("procedure", Rank::Best);
  if (at.lastIs("subroutine") || at.lastIs("function") || at.lastIs("procedure"))
    return true;
  for (const char *word :
       {"subroutine", "function", "launch_bounds()", "cluster_dims()", "pure", "elemental",
        "recursive", "integer", "real", "logical", "complex", "double precision", "type"})
    at.items.keyword(word, Rank::Keyword);
  return true;
}

// New names, or nothing to choose from.
bool nothingToOffer(Situation &at) {
  constexpr std::string_view words[] = {"subroutine", "function", "program",  "module",
                                        "submodule",  "implicit", "end",      "interface",
                                        "namelist",   "common",   "contains", "format"};
  return !at.bracket() && !at.context.tokens.empty() &&
         std::find(std::begin(words), std::end(words), at.context.tokens[0].text) !=
             std::end(words) &&
         !at.lastIs("=");
}

bool anythingElse(Situation &at) {
  expression(at);
  return true;
}

constexpr bool (*situations[])(Situation &) = {
    kindSuffix,  betweenPoints,    members,        useStatement,  callStatement,
    endWord,     insideAttributes, typeName,       behindDummies, kindParameter,
    declaration, chevrons,         argumentList,   secondWord,    statementStart,
    listOfNames, procedurePrefix,  nothingToOffer, anythingElse,
};

// The beginning of "!$cuf" or "!$omp" in a line that holds nothing else.
void directiveBegins(const Query &query, CompletionList &list) {
  std::string_view line = query.document().line(query.position.line);
  size_t cursor =
      std::min(line.size(), static_cast<size_t>(std::max(1, query.position.column)) - 1);
  std::string_view before = line.substr(0, cursor);
  size_t first = before.find_first_not_of(" \t");
  if (first == before.npos || before.size() - first < 2)
    return;
  std::string typed = lowerCase(before.substr(first));
  list.range = {{query.position.line, static_cast<int>(first) + 1}, query.position};
  for (const char *directive : {"!$cuf kernel do", "!$omp parallel do"}) {
    if (!std::string_view(directive).substr(0, 5).starts_with(typed))
      continue;
    CompletionItem item;
    item.label = item.insert = item.entry = directive;
    item.kind = CompletionKind::Keyword;
    list.items.push_back(std::move(item));
  }
}

} // namespace

CompletionList completions(const Query &query, const ApiTable &api, bool snippets) {
  CompletionList list;
  list.range = {query.position, query.position};
  CursorContext context = cursorContext(query.file, query.position);
  if (!context.code || (context.directive == "omp" && context.statement.empty())) {
    directiveBegins(query, list);
    return list;
  }
  bool number = context.prefix.empty() && context.last() && context.last()->kind == Token::Number &&
                context.last()->begin + context.last()->text.size() == context.statement.size();
  if (number && !context.kindSuffix)
    return list;
  CompletionItems items(query, api, context, snippets);
  Situation at{query, api, context, items};
  if (context.directive == "omp")
    openmpWords(items, context, api);
  else if (!context.directive.empty())
    directiveWords(items, context);
  else
    for (auto situation : situations)
      if (situation(at))
        break;
  CompletionList found = items.take();
  // Behind "1.0_" few names fit. While an editor waits for a longer list it lets the old one take
  // Enter.
  found.incomplete &= !context.kindSuffix || !context.prefix.empty();
  return found;
}

namespace {

int symbolNamed(const SourceFile &file, const CompletionItem &item) {
  if (!file.analysis || item.name.empty())
    return -1;
  const std::vector<SymbolInfo> &symbols = file.analysis->symbols;
  if (item.symbol >= 0 && item.symbol < static_cast<int>(symbols.size()) &&
      symbols[static_cast<size_t>(item.symbol)].name == item.name)
    return item.symbol;
  auto found = std::find_if(symbols.begin(), symbols.end(),
                            [&](const SymbolInfo &symbol) { return symbol.name == item.name; });
  return found == symbols.end() ? -1 : static_cast<int>(found - symbols.begin());
}

} // namespace

CompletionDetails completionDetails(const Workspace &workspace, const ApiTable &api,
                                    const CompletionItem &item) {
  const SourceFile *file = item.file.empty() ? nullptr : workspace.find(item.file);
  if (SymbolRef symbol{file, file ? symbolNamed(*file, item) : -1}; symbol.symbol >= 0) {
    SymbolRef declared = workspace.declarationOf(symbol);
    const SymbolRef &best = declared ? declared : symbol;
    return {declarationOf(*best.file->analysis, best.info()),
            documentationOf(workspace, symbol, api)};
  }
  const ApiEntry *entry = item.entry.empty() ? nullptr : api.find(item.entry, item.module);
  if (!entry)
    return {};
  for (const ApiArgument &component : entry->components)
    if (!item.module.empty() && component.name == item.module)
      return {component.type + " :: " + component.name, component.about};
  return {headOf(*entry), documentationOf(*entry)};
}

} // namespace cufc
