// Statement by statement: which names may be the module's, and what stands around each.
#include "ide/refactor/stub_facts.h"
#include "base/source_text.h"
#include "ide/keywords.h"
#include "ide/lookup.h"
#include "source/statement_words.h"
#include <algorithm>
#include <set>

namespace cufc {
namespace {

struct Token {
  std::string text, word; // as written, and in lower case
  LexemeKind kind;
  TextPosition at;
  bool kindOfNumber = false; // "dp" of "1.0_dp"
};

// One program unit that uses the module.
class UserOfModule {
public:
  UserOfModule(const ActionContext &file, const ScopeInfo &scope, const std::string &module,
               StubFacts &facts)
      : file(file), scope(scope), module(module), facts(facts),
        lexemes(lexemesOf(file.document(), file.file.reading)) {}

  void read() {
    std::optional<TextRange> place = file.file.now(scope.place);
    if (!place)
      return;
    for (int pass = 0; pass < 2; ++pass) // types of variables come first
      for (const StatementSpan &span : lexemes.statements) {
        TextRange range = lexemes.rangeOf(span);
        if (span.kind != StatementSpan::Statement || range.begin < place->begin ||
            place->end < range.begin)
          continue;
        take(span);
        if (tokens.empty())
          continue;
        if (pass == 0)
          declarations();
        else
          statement();
      }
  }

private:
  bool is(size_t i, std::string_view text) const {
    return i < tokens.size() && tokens[i].word == text;
  }
  bool isName(size_t i) const { return i < tokens.size() && tokens[i].kind == LexemeKind::Name; }

  void take(const StatementSpan &span) {
    tokens.clear();
    bool ofNumber = false;
    for (size_t number : lexemes.code(span)) {
      const Lexeme &lexeme = lexemes.all[number];
      if (lexeme.kind == LexemeKind::Label)
        continue;
      std::string text(lexemes.textOf(lexeme));
      bool afterNumber = !tokens.empty() && tokens.back().kind == LexemeKind::Number;
      if (afterNumber && text == "_") {
        ofNumber = true;
        continue;
      }
      Token token{text, lowerCase(text), lexeme.kind, lexeme.range().begin, ofNumber};
      ofNumber = false;
      tokens.push_back(std::move(token));
    }
  }

  size_t closing(size_t open) const {
    int depth = 0;
    for (size_t i = open; i < tokens.size(); ++i) {
      depth += is(i, "(") || is(i, "[") ? 1 : is(i, ")") || is(i, "]") ? -1 : 0;
      if (depth == 0)
        return i;
    }
    return tokens.size();
  }
  // First tokens of the parts between commas, and one behind the last part.
  std::vector<std::pair<size_t, size_t>> partsIn(size_t open, size_t close) const {
    std::vector<std::pair<size_t, size_t>> parts;
    size_t begin = open + 1;
    for (size_t i = begin; i <= close && close > open + 1; ++i)
      if (i == close || is(i, ",")) {
        parts.push_back({begin, i});
        begin = i + 1;
      } else if (is(i, "(") || is(i, "[")) {
        i = closing(i);
      }
    return parts;
  }
  size_t colons() const {
    for (size_t i = 0; i < tokens.size(); ++i)
      if (is(i, "(") || is(i, "["))
        i = closing(i);
      else if (is(i, "::"))
        return i;
    return tokens.size();
  }
  bool isDeclaration() const {
    const std::string &word = tokens[0].word;
    bool declares = hasRole(word, word_role::Type) || word == "parameter" || word == "dimension";
    return declares && tokens[0].kind == LexemeKind::Keyword;
  }

  void declarations() {
    size_t behind = colons();
    if (is(0, "use") && (is(1, module) || (is(1, "::") && is(2, module))))
      return useOfModule(is(1, "::") ? 2 : 1);
    if (!isDeclaration() || behind == tokens.size())
      return;
    std::string type;
    int depth = 0;
    for (size_t i = 0; i < behind && (depth > 0 || !is(i, ",")); ++i) {
      depth += is(i, "(") ? 1 : is(i, ")") ? -1 : 0;
      type += tokens[i].text;
    }
    for (auto [begin, end] : partsIn(behind, tokens.size()))
      types[tokens[begin].word] = type;
  }

  void useOfModule(size_t name) {
    if (!is(name + 1, ",")) {
      whole = true;
      return;
    }
    bool only = is(name + 2, "only");
    whole = whole || !only;
    for (auto [begin, end] : partsIn(only ? name + 3 : name + 1, tokens.size())) {
      if (end > begin + 1 && !is(begin + 1, "=>"))
        facts.unclear = tokens[begin].text + tokens[begin + 1].text; // operator(+)
      else
        add(tokens[begin].word, tokens[end - 1]);
    }
  }
  void add(const std::string &local, const Token &name) {
    locals[local] = name.word;
    if (auto [row, fresh] = facts.names.try_emplace(name.word); fresh) {
      row->second.spelling = name.text;
      facts.order.push_back(name.word);
    }
  }

  // The name of the module that a token stands for, or null.
  StubName *nameAt(size_t i) {
    if (!isName(i) || is(i - 1, "%") || isKeywordOfArgument(i))
      return nullptr;
    const Token &token = tokens[i];
    bool listed = locals.contains(token.word);
    if ((!listed && !whole) || isKnown(token, listed))
      return nullptr;
    if (!listed)
      add(token.word, token);
    return &facts.names[locals[token.word]];
  }
  bool isKeywordOfArgument(size_t i) const {
    return i > 0 && (is(i - 1, "(") || is(i - 1, ",")) && is(i + 1, "=") && !is(0, "do");
  }
  bool isKnown(const Token &token, bool listed) const {
    Query query{file.workspace, file.file, token.at};
    auto known = [&](const SymbolInfo &symbol, const std::string &key) {
      if (symbol.implicit)
        return !listed;
      bool procedure = symbol.kind == SymbolKind::Function || symbol.kind == SymbolKind::Subroutine;
      if (!procedure || symbol.intrinsic || symbol.ownScope >= 0 || symbol.dummyOf >= 0 ||
          !symbol.module.empty())
        return true;
      for (const SourceFile *other : file.workspace.filesWith(key, &file.file))
        for (int row : other->analysis ? other->symbolsOf(key) : std::vector<int>())
          if (other->analysis->symbols[static_cast<size_t>(row)].ownScope >= 0)
            return true;
      return false;
    };
    for (const OccurrenceAt &at : occurrencesAt(query))
      if (known(at.symbol.info(), at.symbol.key()))
        return true;
    for (const SymbolRef &symbol :
         lookUp(file.workspace, file.file, scopeAt(query), token.word).symbols)
      if (known(symbol.info(), symbol.key()))
        return true;
    return false;
  }

  const SymbolInfo *symbolOf(size_t i) const {
    if (!isName(i))
      return nullptr;
    Query query{file.workspace, file.file, tokens[i].at};
    std::vector<SymbolRef> found =
        lookUp(file.workspace, file.file, scopeAt(query), tokens[i].word).symbols;
    return found.empty() ? nullptr : &found[0].info();
  }

  // The type of one operand, "" if it is not plain.
  std::string typeOf(size_t i) const {
    if (i >= tokens.size())
      return {};
    const Token &token = tokens[i];
    if (token.kind == LexemeKind::String)
      return "character(len=:), allocatable";
    if (token.word == ".true." || token.word == ".false.")
      return "logical";
    if (token.kind == LexemeKind::Number)
      return token.text.find_first_of(".eEdD") == std::string::npos ? "integer" : "real";
    if (!isName(i) || is(i + 1, "%") || (i > 0 && is(i - 1, "%")))
      return {};
    if (auto written = types.find(token.word); written != types.end() && isServed(written->second))
      return written->second;
    const SymbolInfo *symbol = symbolOf(i);
    bool plain = symbol && !symbol->type.starts_with("type") &&
                 !symbol->type.starts_with("class") && !symbol->type.starts_with("character");
    return plain ? symbol->type : std::string();
  }
  // Whether the stub has the names in a type as it is written.
  bool isServed(const std::string &type) const {
    size_t open = type.find('(');
    if (open == std::string::npos)
      return true;
    if (lowerCase(type).starts_with("character"))
      return false;
    std::string inside = lowerCase(type.substr(open + 1, type.size() - open - 2));
    if (inside.starts_with("kind="))
      inside.erase(0, 5);
    auto name = locals.find(inside);
    return inside.find_first_not_of("0123456789") == std::string::npos ||
           (name != locals.end() && name->first == name->second);
  }
  // The type that the neighbours of tokens first to last, one operand, suggest.
  std::string typeAround(size_t first, size_t last) const {
    static const std::set<std::string> operators = {
        "=", "==", "/=", "<", ">", "<=", ">=", "+", "-", "*", ".lt.", ".gt.", ".eq.", ".ne."};
    static const std::set<std::string> logical = {".and.", ".or.", ".not.", ".eqv.", ".neqv."};
    std::string before = first > 0 ? tokens[first - 1].word : "";
    std::string behind = last + 1 < tokens.size() ? tokens[last + 1].word : "";
    bool condition = before == "(" && first > 1 && behind == ")" &&
                     (is(first - 2, "if") || is(first - 2, "while"));
    if (logical.contains(before) || logical.contains(behind) || condition)
      return "logical";
    if (operators.contains(behind))
      if (std::string type = typeOf(last + 2); !type.empty())
        return type;
    if (operators.contains(before) && first > 1) {
      size_t left = first - 2;
      for (int depth = 0; left > 0 && (is(left, ")") || depth > 0); --left) {
        depth += is(left, ")") ? 1 : is(left, "(") ? -1 : 0;
        if (depth == 0)
          break;
      }
      if (is(left, "(") && left > 0)
        --left;
      return typeOf(left);
    }
    return {};
  }

  static void set(StubName &name, StubName::Kind kind) { name.kind = std::max(name.kind, kind); }
  static void setType(StubName &name, const std::string &type) {
    if (name.type.empty())
      name.type = type;
  }

  void statement() {
    static const std::set<std::string> without = {"use",    "exit",     "cycle",   "end",
                                                  "common", "namelist", "implicit"};
    if (tokens[0].kind == LexemeKind::Keyword && without.contains(tokens[0].word))
      return;
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (isName(i) && is(i + 1, "%") && !(i > 0 && is(i - 1, "%")))
        component(i);
      bool construct = i == 0 && is(1, ":");
      if (StubName *name = construct ? nullptr : nameAt(i))
        place(*name, i);
    }
  }

  void place(StubName &name, size_t i) {
    bool inParentheses = i > 1 && is(i - 1, "(");
    const std::string before = inParentheses ? tokens[i - 2].word : "";
    bool declared = isDeclaration() && colons() < tokens.size();
    bool ofType = i > 1 && (declared ? i < colons() : is(i + 1, ")")) &&
                  (inParentheses || (is(i - 1, "=") && is(i - 2, "kind")));
    if (inParentheses && (before == "type" || before == "class" || before == "extends"))
      return set(name, StubName::Type);
    if (i > 0 && is(i - 1, "call"))
      return call(name, i, StubName::Subroutine);
    if (tokens[i].kindOfNumber)
      return kindNumber(name, tokens[i - 1].text.find_first_of(".eE") != std::string::npos);
    bool conversion = i > 1 && is(i - 1, ",") && is(i + 1, ")") && isConversion(i);
    if (conversion || (ofType && (declared || is(i - 1, "="))))
      return kindNumber(name, !is(0, "integer") && !is(0, "logical") && !conversion);
    if (is(i + 1, "(") || is(i + 1, "[")) {
      size_t close = closing(i + 1);
      if (i == 0 && is(close + 1, "=")) {
        name.rank = std::max(name.rank, partsIn(i + 1, close).size());
        set(name, StubName::Variable);
        return setType(name, typeAround(i, close));
      }
      call(name, i, StubName::Function);
      return setType(name, typeAround(i, close));
    }
    bool constant = declared || before == "case" || is(0, "parameter");
    set(name, constant ? StubName::Constant : StubName::Variable);
    if (constant)
      setType(name, "integer");
    else
      setType(name, typeAround(i, i));
  }

  // "dp" of "real(x, dp)".
  bool isConversion(size_t i) const {
    static const std::set<std::string> words = {"real", "int", "cmplx", "aint", "nint", "logical"};
    int depth = 0;
    for (size_t at = i; at-- > 0;) {
      depth += is(at, ")") ? 1 : is(at, "(") ? -1 : 0;
      if (depth < 0)
        return at > 0 && words.contains(tokens[at - 1].word);
    }
    return false;
  }
  static void kindNumber(StubName &name, bool real) {
    set(name, StubName::KindNumber);
    name.realKind = name.realKind || real;
    name.integerKind = name.integerKind || !real;
  }

  void call(StubName &name, size_t i, StubName::Kind kind) {
    set(name, kind);
    if (is(i + 1, "<<<")) {
      facts.unclear = tokens[i].text + "<<<";
      return;
    }
    std::vector<StubArgument> list;
    if (is(i + 1, "("))
      for (auto [begin, end] : partsIn(i + 1, closing(i + 1))) {
        StubArgument argument;
        if (end > begin + 1 && isName(begin) && is(begin + 1, "=")) {
          argument.keyword = tokens[begin].text;
          begin += 2;
        }
        if (is(begin, "*"))
          facts.unclear = tokens[i].text + "(*"; // an alternate return
        argument.type = dummyFor(begin, end);
        if (isName(begin) && end == begin + 1)
          argument.name =
              locals.contains(tokens[begin].word) ? locals[tokens[begin].word] : tokens[begin].word;
        list.push_back(std::move(argument));
      }
    name.calls.push_back(std::move(list));
  }
  std::string dummyFor(size_t begin, size_t end) {
    const SymbolInfo *symbol = symbolOf(begin);
    if (!symbol)
      return {};
    bool procedure = symbol->kind == SymbolKind::Function || symbol->kind == SymbolKind::Subroutine;
    if (procedure && end == begin + 1)
      return "external";
    if ((symbol->dataAttributes & data_attribute::Device) == 0)
      return {};
    if (end != begin + 1 || symbol->type.starts_with("type")) {
      facts.unclear = tokens[begin].text;
      return {};
    }
    std::string shape;
    size_t rank =
        symbol->shape.empty()
            ? 0
            : splitList(std::string_view(symbol->shape).substr(1, symbol->shape.size() - 2)).size();
    for (size_t i = 0; i < rank; ++i)
      shape += i > 0 ? ",:" : ":";
    return symbol->type + ", device" + (rank > 0 ? ", dimension(" + shape + ")" : "");
  }

  // "p%x" of a variable whose type is the module's.
  void component(size_t i) {
    auto written = types.find(tokens[i].word);
    std::string type;
    if (written != types.end()) {
      size_t open = written->second.find('(');
      std::string word = lowerCase(written->second);
      if (open != std::string::npos && (word.starts_with("type(") || word.starts_with("class(")))
        if (auto name = locals.find(word.substr(open + 1, word.size() - open - 2));
            name != locals.end())
          type = name->second;
    }
    if (type.empty())
      return;
    componentOf(type, i, i + 2);
  }
  void componentOf(const std::string &type, size_t first, size_t at) {
    if (at >= tokens.size())
      return;
    auto [row, fresh] = facts.components[type].try_emplace(tokens[at].word);
    if (fresh)
      facts.componentOrder[type].push_back(tokens[at].word);
    StubName &name = row->second;
    name.spelling = tokens[at].text;
    size_t last = at;
    if (is(at + 1, "(")) {
      last = closing(at + 1);
      name.rank = std::max(name.rank, partsIn(at + 1, last).size());
    }
    if (is(0, "call") && first == 1 && !is(last + 1, "%")) {
      facts.unclear = tokens[first].text + "%" + name.spelling; // a bound procedure
    } else if (is(last + 1, "%")) {
      name.type = "type(" + name.spelling + "_type)";
      componentOf(lowerCase(name.spelling) + "_type", first, last + 2);
    } else {
      setType(name, typeAround(first, last));
    }
  }

  const ActionContext &file;
  const ScopeInfo &scope;
  const std::string &module;
  StubFacts &facts;
  Lexemes lexemes;
  std::vector<Token> tokens;                 // of the statement that is looked at
  std::map<std::string, std::string> types;  // of what the unit declares, as written
  std::map<std::string, std::string> locals; // names as they are called here, and in the module
  bool whole = false;                        // without ONLY
};

// What follows from all uses together.
void settle(StubFacts &facts) {
  auto isProcedure = [&](const std::string &word) {
    auto name = facts.names.find(word);
    return name != facts.names.end() &&
           (name->second.kind == StubName::Function || name->second.kind == StubName::Subroutine);
  };
  for (auto &[word, name] : facts.names) {
    if (name.rank > 0)
      name.kind = StubName::Variable; // elements that are read look like calls
    if (name.kind == StubName::Type)
      for (const auto &list : name.calls) // a constructor
        if (!list.empty())
          facts.unclear = name.spelling + "(";
  }
  for (auto &[word, name] : facts.names)
    for (auto &call : name.calls)
      for (StubArgument &argument : call)
        if (isProcedure(argument.name))
          argument.type = "external";
}

} // namespace

std::string typeByLetter(const std::string &name) {
  char letter = lowerCase(name)[0];
  return letter >= 'i' && letter <= 'n' ? "integer" : "real";
}

StubFacts stubFacts(const ActionContext &context, const std::string &module) {
  StubFacts facts;
  OpenedFiles opened;
  for (const auto &[path, file] : context.workspace.files()) {
    if (!file->analysis || !ofOneProject(file.get(), &context.file))
      continue;
    for (const ScopeInfo &scope : file->analysis->scopes) {
      bool uses = scope.place.file == 0 &&
                  std::any_of(scope.uses.begin(), scope.uses.end(),
                              [&](const UseInfo &use) { return lowerCase(use.module) == module; });
      if (uses)
        UserOfModule(placeIn(context, opened(*file)), scope, module, facts).read();
    }
  }
  settle(facts);
  return facts;
}

} // namespace cufc
