// The cases in which the form of the statement alone says what fits: few words, or the names of a
// module.
#include "base/source_text.h"
#include "ide/completion_situation.h"
#include <algorithm>

namespace cufc {
namespace {

// Of modules of one name the one that the file would use.
bool isMeant(SymbolRef module, const Query &query) {
  const SourceFile *meant = query.workspace.moduleFile(module.info().name, &query.file);
  return !meant || meant == module.file;
}

void modules(Situation &at, bool intrinsicOnly) {
  for (const ApiEntry &entry : at.api.entries())
    if (entry.kind == ApiKind::Module &&
        (!intrinsicOnly || entry.name.starts_with("iso_") || entry.name.starts_with("ieee_")))
      at.items.tableRow(entry, Rank::Table);
  if (intrinsicOnly)
    return;
  for (const auto &[path, file] : at.query.workspace.files())
    if (file->analysis && ofOneProject(file.get(), &at.query.file))
      for (const ScopeInfo &scope : file->analysis->scopes)
        if (scope.kind == ScopeKind::Module && scope.symbol >= 0)
          if (SymbolRef symbol{file.get(), scope.symbol};
              at.items.matches(symbol.info().name) && isMeant(symbol, at.query))
            at.items.symbol(symbol.info().name, symbol, Rank::Best, false);
}

void words(Situation &at, std::initializer_list<const char *> list) {
  for (const char *word : list)
    at.items.keyword(word, Rank::Best);
}

} // namespace

bool kindSuffix(Situation &at) {
  if (!at.context.kindSuffix)
    return false;
  Wanted wanted;
  wanted.constants = true;
  at.items.fitting(wanted);
  at.items.unknownWords();
  return true;
}

bool betweenPoints(Situation &at) {
  const std::vector<Token> &tokens = at.context.tokens;
  if (!at.lastIs(".") || at.context.prefix.empty())
    return false;
  const Token *before = tokens.size() > 1 ? &tokens[tokens.size() - 2] : nullptr;
  bool operand = before && (before->kind != Token::Operator || before->is(")") || before->is("]") ||
                            before->is(".true.") || before->is(".false."));
  for (const char *word : {"and", "or", "eqv", "neqv", "eq", "ne", "lt", "le", "gt", "ge"})
    at.items.pointed(word, operand ? Rank::Best : Rank::Keyword);
  for (const char *word : {"true", "false", "not"})
    at.items.pointed(word, operand ? Rank::Keyword : Rank::Best);
  return true;
}

bool useStatement(Situation &at) {
  const std::vector<Token> &tokens = at.context.tokens;
  if (!at.context.startsWith("use"))
    return false;
  auto colons = std::find_if(tokens.begin(), tokens.end(), [](auto &t) { return t.is("::"); });
  size_t name = colons == tokens.end() ? 1 : static_cast<size_t>(colons - tokens.begin()) + 1;
  bool intrinsic = tokens.size() > 2 && tokens[2].is("intrinsic");
  if (tokens.size() <= name) {
    if (tokens.size() == 2 && tokens[1].is(","))
      at.items.keyword("intrinsic :: ", Rank::Best);
    else
      modules(at, intrinsic);
    return true;
  }
  if (colons == tokens.end() && tokens.size() == 2 && tokens[1].is(","))
    return at.items.keyword("intrinsic ::", Rank::Best), true;
  const std::string &module = tokens[name].text;
  bool only = std::any_of(tokens.begin(), tokens.end(), [](auto &t) { return t.is("only"); });
  if (!only) {
    if (at.lastIs(","))
      at.items.keyword("only: ", Rank::Best);
    return true;
  }
  if (!at.lastIs(":") && !at.lastIs(",") && !at.lastIs("=>"))
    return true;
  std::set<std::string> listed;
  for (size_t i = name + 1; i < tokens.size(); ++i)
    listed.insert(tokens[i].text);
  bool known = at.api.hasModule(module);
  forEachExport(at.query.workspace, at.query.file, module,
                [&](const std::string &exported, SymbolRef symbol) {
                  known = true;
                  if (at.items.matches(exported) && !listed.contains(lowerCase(exported)))
                    at.items.symbol(exported, symbol, Rank::Best, false);
                });
  for (bool own : {true, false})
    for (const ApiEntry &entry : at.api.entries())
      if ((own ? entry.module == module : entry.isHandedOnBy(module)) &&
          !listed.contains(lowerCase(entry.name)))
        at.items.tableRow(entry, Rank::Best);
  if (!known)
    at.items.unknownWords();
  return true;
}

bool secondWord(Situation &at) {
  const std::vector<Token> &tokens = at.context.tokens;
  if (tokens.empty() || at.bracket())
    return false;
  bool otherwise =
      tokens[0].is("elseif") || (tokens.size() > 1 && tokens[0].is("else") && tokens[1].is("if"));
  if (otherwise && at.lastIs(")"))
    return words(at, {"then"}), true;
  if (tokens.size() != 1)
    return false;
  if (tokens[0].is("implicit"))
    return words(at, {"none", "none (type, external)", "integer", "real", "double precision"}),
           true;
  if (tokens[0].is("else"))
    return words(at, {"if", "where"}), true;
  if (tokens[0].is("select"))
    return words(at, {"case", "type", "rank"}), true;
  if (tokens[0].is("case"))
    return words(at, {"default"}), true;
  if (tokens[0].is("error"))
    return words(at, {"stop"}), true;
  if (tokens[0].is("double"))
    return words(at, {"precision", "complex"}), true;
  if (tokens[0].is("abstract"))
    return words(at, {"interface"}), true;
  if (tokens[0].is("do"))
    words(at, {"while", "concurrent"});
  return false;
}

bool listOfNames(Situation &at) {
  constexpr std::string_view statements[] = {"public",   "private", "module",    "import",
                                             "external", "save",    "intrinsic", "final",
                                             "optional", "target",  "protected", "value"};
  const std::vector<Token> &tokens = at.context.tokens;
  if (tokens.empty() || at.bracket() ||
      std::find(std::begin(statements), std::end(statements), tokens[0].text) ==
          std::end(statements))
    return false;
  if (tokens[0].is("module") && (tokens.size() < 2 || !tokens[1].is("procedure")))
    return false;
  Wanted wanted;
  wanted.data = wanted.functions = wanted.subroutines = wanted.types = wanted.constants = true;
  at.items.fitting(wanted);
  at.items.unknownWords();
  return true;
}

bool behindDummies(Situation &at) {
  const std::vector<Token> &tokens = at.context.tokens;
  bool head = std::any_of(tokens.begin(), tokens.end(), [](const Token &token) {
    return token.is("subroutine") || token.is("function");
  });
  if (!head || at.bracket() || !at.lastIs(")") || tokens[0].is("end"))
    return false;
  words(at, {"result()", "bind(c)"});
  return true;
}

} // namespace cufc
