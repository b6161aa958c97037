// Fortran 2018, 6.3.2. A number ends before the point of an operator: "1.eq.2" is three tokens, but
// "1.e5" one.
#include "ide/format/line_lexer.h"
#include <algorithm>
#include <cctype>

namespace cufc {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isWordCharacter(char c) { return isLetter(c) || isDigit(c) || c == '_' || c == '$'; }

class LineLexer {
public:
  LineLexer(std::string_view line, LexerState &state) : line(line), state(state) {}

  std::vector<LineToken> run() {
    state.broken = false;
    lastCharacter = line.find_last_not_of(" \t");
    skipBlanks();
    if (size_t first = line.find_first_not_of(" \t"); state.quote && first != line.npos)
      at = line[first] == '&' ? first : 0; // blanks before the mark are not the string's
    if ((state.quote || state.launch) && next() == '&' && at != lastCharacter)
      add(LineToken::Ampersand, at + 1);
    if (state.quote)
      string(at);
    while (skipBlanks(), at < line.size())
      token();
    return std::move(tokens);
  }

private:
  char next(size_t ahead = 0) const { return at + ahead < line.size() ? line[at + ahead] : '\0'; }
  void skipBlanks() {
    if (!state.quote)
      while (isBlank(next()))
        ++at;
  }
  void add(LineToken::Kind kind, size_t end) {
    tokens.push_back({kind, at, end});
    at = end;
  }

  void token() {
    char c = next();
    if (state.launch && c != '&' && c != '!')
      return launch(at);
    if (c == '!')
      return add(LineToken::Comment, line.size());
    if (c == '\'' || c == '"') {
      state.quote = c;
      return string(at + 1);
    }
    if (isDigit(c) || (c == '.' && isDigit(next(1))))
      return number();
    if (isLetter(c) || c == '_' || c == '$')
      return add(LineToken::Word, endOfWord(at));
    if (line.substr(at, 3) == "<<<")
      return launch(at + 3);
    symbol(c);
  }

  size_t endOfWord(size_t from) const {
    while (from < line.size() && isWordCharacter(line[from]))
      ++from;
    return from;
  }

  // From `from` on up to the quote that ends it, which doubled does not.
  void string(size_t from) {
    for (size_t i = from; i < line.size(); ++i)
      if (line[i] == '&' && i == lastCharacter) {
        if (i > at)
          add(LineToken::String, i);
        return add(LineToken::Ampersand, line.size());
      } else if (line[i] == state.quote) {
        if (i + 1 < line.size() && line[i + 1] == state.quote) {
          ++i;
          continue;
        }
        state.quote = 0;
        return add(LineToken::String, i + 1);
      }
    state.broken = true;
    state.quote = 0;
    if (at < line.size())
      add(LineToken::String, line.size());
  }

  void launch(size_t from) {
    size_t end = line.find(">>>", from);
    state.launch = end == std::string_view::npos;
    if (!state.launch)
      return add(LineToken::Launch, end + 3);
    end = lastCharacter == std::string_view::npos ? line.size() : lastCharacter + 1;
    if (end > from && line[end - 1] == '&')
      --end;
    if (end > at)
      add(LineToken::Launch, end);
    if (next() == '&')
      add(LineToken::Ampersand, at + 1);
  }

  // Whether an operator such as .and. begins here.
  size_t dotOperator(size_t from) const {
    size_t end = from + 1;
    while (end < line.size() && isLetter(line[end]))
      ++end;
    return end > from + 1 && end < line.size() && line[end] == '.' ? end + 1 : 0;
  }

  void number() {
    size_t end = at;
    auto digits = [&] {
      while (end < line.size() && isDigit(line[end]))
        ++end;
    };
    digits();
    if (end < line.size() && (line[end] == 'h' || line[end] == 'H') && end > at && end - at < 5)
      return hollerith(end);
    if (end < line.size() && line[end] == '.' && !dotOperator(end)) {
      ++end;
      digits();
    }
    if (end < line.size() && std::string_view("eEdDqQ").find(line[end]) != std::string_view::npos) {
      size_t exponent = end + 1;
      if (exponent < line.size() && (line[exponent] == '+' || line[exponent] == '-'))
        ++exponent;
      if (exponent < line.size() && isDigit(line[exponent])) {
        end = exponent;
        digits();
      }
    }
    if (end < line.size() && line[end] == '_')
      end = endOfWord(end);
    add(LineToken::Number, end);
  }

  void hollerith(size_t letter) {
    size_t count = 0;
    for (size_t i = at; i < letter; ++i)
      count = count * 10 + static_cast<size_t>(line[i] - '0');
    add(LineToken::Other, std::min(line.size(), letter + 1 + count));
  }

  void symbol(char c) {
    if (c == '&' && (at == lastCharacter || tokens.empty() || commentFollows()))
      return add(LineToken::Ampersand, at + 1);
    if (c == '.')
      if (size_t end = dotOperator(at))
        return add(LineToken::Operator, end);
    if (line.substr(at, 3) == ">>>")
      return add(LineToken::Other, at + 3);
    for (std::string_view two : {"**", "//", "==", "/=", "<=", ">=", "=>", "::"})
      if (line.substr(at, 2) == two)
        return add(LineToken::Operator, at + 2);
    switch (c) {
    case '(':
    case '[':
      return add(LineToken::Open, at + 1);
    case ')':
    case ']':
      return add(LineToken::Close, at + 1);
    case ',':
      return add(LineToken::Comma, at + 1);
    case ':':
      return add(LineToken::Colon, at + 1);
    case ';':
      return add(LineToken::Semicolon, at + 1);
    default:
      bool known = std::string_view("+-*/=<>%").find(c) != std::string_view::npos;
      return add(known ? LineToken::Operator : LineToken::Other, at + 1);
    }
  }

  bool commentFollows() const {
    size_t after = line.find_first_not_of(" \t", at + 1);
    return after != std::string_view::npos && line[after] == '!';
  }

  std::string_view line;
  LexerState &state;
  std::vector<LineToken> tokens;
  size_t at = 0, lastCharacter = 0;
};

} // namespace

std::vector<LineToken> tokensOf(std::string_view line, LexerState &state) {
  return LineLexer(line, state).run();
}

} // namespace cufc
