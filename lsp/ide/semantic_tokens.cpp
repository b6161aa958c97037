// Two sorted lists are merged: the lexemes of the text and the occurrences of the analysis, which
// the pieces that no edit has touched lead to the text now. A name that was typed since is taken
// for the symbol of that name that is visible there.
#include "ide/semantic_tokens.h"
#include "ide/declaration.h"
#include "ide/keywords.h"
#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace cufc {
namespace {

TokenType typeOf(const SymbolInfo &symbol) {
  switch (symbol.kind) {
  case SymbolKind::Program:
  case SymbolKind::Module:
  case SymbolKind::Submodule:
  case SymbolKind::BlockData:
    return TokenType::Namespace;
  case SymbolKind::Subroutine:
  case SymbolKind::Function:
  case SymbolKind::Generic:
    return TokenType::Function;
  case SymbolKind::DerivedType:
    return TokenType::Type;
  case SymbolKind::Component:
    return TokenType::Property;
  case SymbolKind::Binding:
    return TokenType::Method;
  case SymbolKind::Construct:
  case SymbolKind::Label:
    return TokenType::Label;
  default:
    return symbol.dummyOf >= 0 ? TokenType::Parameter : TokenType::Variable;
  }
}

bool has(const SymbolInfo &symbol, std::string_view attribute) {
  return std::find(symbol.attributes.begin(), symbol.attributes.end(), attribute) !=
         symbol.attributes.end();
}

bool comesWithCompiler(const SymbolInfo &symbol) {
  static constexpr std::string_view modules[] = {"cudafor",
                                                 "cudadevice",
                                                 "libm",
                                                 "iso_c_binding",
                                                 "iso_fortran_env",
                                                 "ieee_arithmetic",
                                                 "ieee_exceptions",
                                                 "ieee_features",
                                                 "cooperative_groups",
                                                 "cublas",
                                                 "wmma",
                                                 "curand"};
  auto known = [&](const std::string &name) {
    return name.starts_with("__fortran") || name.starts_with("__cuda") ||
           std::find(std::begin(modules), std::end(modules), name) != std::end(modules);
  };
  return symbol.intrinsic || (!symbol.module.empty() && known(symbol.module)) ||
         (symbol.kind == SymbolKind::Module && known(symbol.name));
}

std::uint32_t dataModifiers(const SymbolInfo &symbol) {
  struct Row {
    int attribute;
    std::uint32_t modifier;
  };
  static constexpr Row rows[] = {{data_attribute::Device, token_modifier::Device},
                                 {data_attribute::Shared, token_modifier::Shared},
                                 {data_attribute::Constant, token_modifier::Constant},
                                 {data_attribute::Managed, token_modifier::Managed},
                                 {data_attribute::Pinned, token_modifier::Pinned}};
  std::uint32_t modifiers = 0;
  for (const Row &row : rows)
    if (symbol.dataAttributes & row.attribute)
      modifiers |= row.modifier;
  return modifiers;
}

// What is the same at all occurrences of a symbol.
std::uint32_t modifiersOf(const SymbolInfo &symbol) {
  std::uint32_t modifiers = dataModifiers(symbol);
  if (symbol.procedureAttributes & procedure_attribute::Host)
    modifiers |= token_modifier::Host;
  if (symbol.procedureAttributes & procedure_attribute::Device)
    modifiers |= token_modifier::Device;
  if (isKernel(symbol))
    modifiers |= token_modifier::Kernel;
  if (symbol.kind == SymbolKind::Constant || has(symbol, "intent(in)"))
    modifiers |= token_modifier::Readonly;
  if (has(symbol, "save"))
    modifiers |= token_modifier::Static;
  if (comesWithCompiler(symbol))
    modifiers |= token_modifier::DefaultLibrary;
  return modifiers;
}

std::uint32_t modifiersOf(const Occurrence &occurrence, const SymbolInfo &symbol) {
  switch (occurrence.role) {
  case Role::Declaration:
    if (symbol.ownScope < 0)
      return token_modifier::Declaration;
    // USE of a module of this file has the same role.
    return occurrence.place == symbol.declared
               ? token_modifier::Declaration | token_modifier::Definition
               : std::uint32_t(0);
  case Role::Write:
  case Role::ReadWrite:
    return token_modifier::Modification;
  case Role::Launch:
    return token_modifier::Launch;
  default:
    return 0;
  }
}

// An occurrence in the text now.
struct Moved {
  TextRange range;
  const Occurrence *occurrence;
};

// Of the source itself, those that no edit has cut.
std::vector<Moved> movedOccurrences(const SourceFile &file) {
  std::vector<Moved> result;
  if (!file.analysis)
    return result;
  std::vector<EditMap::Piece> pieces = file.edits.pieces();
  result.reserve(file.analysis->occurrences.size());
  size_t piece = 0;
  for (const Occurrence &occurrence : file.analysis->occurrences) {
    if (occurrence.place.file != 0 || occurrence.symbol < 0)
      continue;
    TextRange before = rangeOf(occurrence.place);
    while (piece + 1 < pieces.size() && pieces[piece].before.end < before.end)
      ++piece;
    if (pieces[piece].before.begin >
        before.begin) { // letters were typed inside of it, or it is gone
      if (std::optional<TextRange> now = file.edits.now(before))
        result.push_back({*now, &occurrence});
    } else
      result.push_back(
          {{pieces[piece].moved(before.begin), pieces[piece].moved(before.end)}, &occurrence});
  }
  // Operators that mean procedures are no names.
  std::erase_if(result, [&](const Moved &moved) {
    const TextPosition &begin = moved.range.begin;
    std::string_view line = file.document.line(begin.line);
    auto at = static_cast<size_t>(begin.column) - 1;
    return moved.occurrence->role == Role::Call && at < line.size() &&
           !std::isalpha(static_cast<unsigned char>(line[at]));
  });
  return result;
}

// Symbols by name, for names that stand where the analysis knows none.
class SymbolsByName {
public:
  explicit SymbolsByName(const Query &query) : query(query) {}

  // The symbol of the innermost scope around a position; -1 if none is visible.
  int find(const std::string &name, TextPosition position) {
    const Analysis *analysis = query.file.analysis.get();
    if (!analysis)
      return -1;
    if (byName.empty())
      index(*analysis);
    auto [first, last] = byName.equal_range(name);
    if (first == last)
      return -1;
    int scope = 0;
    for (size_t i = 1; i < scopes.size(); ++i) // children come behind their parents
      if (scopes[i].touches(position))
        scope = static_cast<int>(i);
    for (; scope >= 0; scope = analysis->scopes[static_cast<size_t>(scope)].parent)
      for (auto entry = first; entry != last; ++entry)
        if (analysis->symbols[static_cast<size_t>(entry->second)].scope == scope)
          return entry->second;
    for (auto entry = first; entry != last; ++entry) // made visible by USE
      if (!analysis->symbols[static_cast<size_t>(entry->second)].module.empty())
        return entry->second;
    return -1;
  }

private:
  void index(const Analysis &analysis) {
    for (size_t i = 0; i < analysis.symbols.size(); ++i) {
      std::string name = analysis.symbols[i].name;
      for (char &c : name)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
      byName.emplace(std::move(name), static_cast<int>(i));
    }
    for (const ScopeInfo &scope : analysis.scopes)
      scopes.push_back(query.file.now(scope.place).value_or(TextRange{}));
  }
  const Query &query;
  std::unordered_multimap<std::string, int> byName;
  std::vector<TextRange> scopes; // in the text now
};

class TokenMaker {
public:
  TokenMaker(const Query &query, const TextRange &range, const ReadText &read)
      : query(query), range(range), lexemes(lexemesOf(query.document(), query.file.reading)),
        conditions(conditionsOf(query.document(), query.file.path, query.file.reading, read)),
        names(movedOccurrences(query.file)), unknown(query) {
    if (query.file.analysis)
      kinds.resize(query.file.analysis->symbols.size(), {TokenType::Variable, notKnown});
  }

  std::vector<SemanticToken> make() {
    size_t name = 0;
    size_t inactive = 0;
    for (size_t i = lexemes.firstBehind(range.begin); i < lexemes.all.size(); ++i) {
      const Lexeme &lexeme = lexemes.all[i];
      if (range.end <= lexeme.range().begin)
        break;
      while (inactive < conditions.inactive.size() &&
             conditions.inactive[inactive].last < lexeme.line)
        ++inactive;
      if (inactive < conditions.inactive.size() &&
          conditions.inactive[inactive].first <= lexeme.line) {
        inactiveLexeme(lexeme);
        continue;
      }
      while (name < names.size() && names[name].range.end <= lexeme.range().begin)
        ++name;
      add(lexeme, i, name);
    }
    return std::move(tokens);
  }

private:
  static constexpr std::uint32_t notKnown = ~0U;

  // A line that is left out is one token.
  void inactiveLexeme(const Lexeme &lexeme) {
    if (!tokens.empty() && tokens.back().line == lexeme.line)
      tokens.back().endColumn = lexeme.endColumn;
    else
      tokens.push_back({lexeme.line, lexeme.column, lexeme.endColumn, TokenType::Comment});
  }

  void add(const Lexeme &lexeme, size_t number, size_t name) {
    const Moved *moved = name < names.size() ? &names[name] : nullptr;
    bool touches = moved && moved->range.begin < lexeme.range().end;
    bool same = touches && moved->range == lexeme.range();
    if (same || (touches && lexeme.kind == LexemeKind::Name))
      return addName(lexeme, same, name);
    if (lexeme.kind == LexemeKind::Name)
      return addUnknownName(lexeme, number);
    static constexpr TokenType types[] = {
        TokenType::Variable, TokenType::Keyword,  TokenType::Number,  TokenType::String,
        TokenType::Comment,  TokenType::Operator, TokenType::Comment, TokenType::Label,
        TokenType::Macro,    TokenType::Macro,    TokenType::Macro};
    if (lexeme.kind == LexemeKind::Punctuation)
      return;
    TokenType type = types[static_cast<size_t>(lexeme.kind)];
    std::string_view text = lexemes.textOf(lexeme);
    if (lexeme.kind == LexemeKind::Operator && text.size() >= 6 && // .true. and .false.
        (text[1] == 't' || text[1] == 'T' || text[1] == 'f' || text[1] == 'F'))
      type = TokenType::Keyword;
    push(lexeme, type, 0);
  }

  void push(const Lexeme &lexeme, TokenType type, std::uint32_t modifiers) {
    tokens.push_back({lexeme.line, lexeme.column, lexeme.endColumn, type, modifiers});
  }

  // A name that the analysis knows, perhaps with letters typed since. Of a generic and its specific
  // at one place the specific says more.
  void addName(const Lexeme &lexeme, bool same, size_t name) {
    const Occurrence *best = names[name].occurrence;
    for (; name < names.size() && names[name].range.begin < lexeme.range().end; ++name)
      if (!same || names[name].range == lexeme.range())
        if (symbolOf(*best).kind == SymbolKind::Generic)
          best = names[name].occurrence;
    auto [type, modifiers] = kindOf(best->symbol);
    push(lexeme, type, modifiers | modifiersOf(*best, symbolOf(*best)));
  }

  const SymbolInfo &symbolOf(const Occurrence &occurrence) const {
    return query.file.analysis->symbols[static_cast<size_t>(occurrence.symbol)];
  }

  std::pair<TokenType, std::uint32_t> kindOf(int symbol) {
    auto &kind = kinds[static_cast<size_t>(symbol)];
    if (kind.second == notKnown) {
      const SymbolInfo &info = query.file.analysis->symbols[static_cast<size_t>(symbol)];
      kind = {typeOf(info), modifiersOf(info)};
    }
    return kind;
  }

  void addUnknownName(const Lexeme &lexeme, size_t number) {
    if (conditions.macros.contains(std::string(lexemes.textOf(lexeme))))
      return push(lexeme, TokenType::Macro, 0);
    bool component = number > 0 && lexemes.textOf(lexemes.all[number - 1]) == "%";
    int symbol = component ? -1 : unknown.find(lexemes.wordOf(lexeme), lexeme.range().begin);
    if (symbol < 0)
      return push(lexeme, component ? TokenType::Property : TokenType::Variable, 0);
    auto [type, modifiers] = kindOf(symbol);
    push(lexeme, type, modifiers);
  }

  const Query &query;
  TextRange range;
  Lexemes lexemes;
  Conditions conditions;
  std::vector<Moved> names;
  SymbolsByName unknown;
  std::vector<std::pair<TokenType, std::uint32_t>> kinds; // by symbol, made when needed
  std::vector<SemanticToken> tokens;
};

} // namespace

std::vector<SemanticToken> semanticTokens(const Query &query, const TextRange &range,
                                          const ReadText &read) {
  return TokenMaker(query, range, read).make();
}

} // namespace cufc
