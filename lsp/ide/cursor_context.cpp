// The lines of the statement are cut off at the cursor, where a mark is put: if the statement
// scanner gives a last statement that ends with the mark, the cursor is in code.
#include "ide/cursor_context.h"
#include "base/source_text.h"
#include "source/statements.h"
#include <algorithm>

namespace cufc {
namespace {

constexpr char mark = '\x01';
constexpr int mostLines = 500; // of one statement, with comments in between

std::string_view trimmed(std::string_view line) {
  size_t first = line.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : line.substr(first);
}

// Behind "!$cuf" and its like of a directive's line; nothing if it is none.
std::optional<std::string_view> directiveText(std::string_view line, bool fixedForm,
                                              std::string_view sentinel) {
  std::string_view text = fixedForm ? line : trimmed(line);
  if (text.size() < 5 || std::string_view(fixedForm ? "!cC*" : "!").find(text[0]) == text.npos ||
      lowerCase(text.substr(1, 4)) != sentinel)
    return std::nullopt;
  return text.substr(5);
}

bool isComment(std::string_view line, bool fixedForm) {
  if (fixedForm && !line.empty() && std::string_view("cC*dD#").find(line[0]) != line.npos)
    return true;
  std::string_view text = trimmed(line);
  return text.empty() || text[0] == '!' || line[0] == '#';
}

bool endsWithAmpersand(std::string_view line) {
  char quote = 0, last = 0;
  for (char c : line) {
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '\'' || c == '"')
      quote = c;
    else if (c == '!')
      break;
    if (c != ' ' && c != '\t')
      last = c;
  }
  return last == '&';
}

bool continuesFixed(std::string_view line) {
  size_t tab = line.find('\t');
  if (tab < 6)
    return tab + 1 < line.size() && line[tab + 1] >= '1' && line[tab + 1] <= '9';
  return line.size() > 5 && line[5] != ' ' && line[5] != '0' && trimmed(line)[0] != '!';
}

// The line that the statement of a line begins in.
int firstLine(const Document &document, int line, bool fixedForm) {
  int first = line;
  for (int steps = 0; steps < mostLines && first > 1; ++steps) {
    if (fixedForm && !continuesFixed(document.line(first)))
      break;
    int before = first - 1;
    while (before >= 1 && first - before < mostLines && isComment(document.line(before), fixedForm))
      --before;
    if (before < 1 || (!fixedForm && !endsWithAmpersand(document.line(before))))
      break;
    first = before;
  }
  return first;
}

// Whether a directive's line goes on with the one before it.
bool continuesDirective(const Document &document, int line, bool fixedForm,
                        std::string_view sentinel) {
  std::optional<std::string_view> before =
      directiveText(document.line(line - 1), fixedForm, sentinel);
  if (!before)
    return false;
  std::string_view own =
      directiveText(document.line(line), fixedForm, sentinel).value_or(std::string_view());
  bool marked = fixedForm && !own.empty() && own[0] != ' ' && own[0] != '0';
  return marked || endsWithAmpersand(*before);
}

void readDirective(CursorContext &context, const Document &document, TextPosition position,
                   bool fixedForm, std::string_view sentinel) {
  context.code = true;
  int first = position.line;
  while (first > 1 && continuesDirective(document, first, fixedForm, sentinel))
    --first;
  context.begin = {first, 1};
  for (int line = first; line <= position.line; ++line) {
    std::string_view text = document.line(line);
    if (line == position.line)
      text = text.substr(0, static_cast<size_t>(std::max(1, position.column)) - 1);
    std::string_view words = directiveText(text, fixedForm, sentinel).value_or(std::string_view());
    if (fixedForm && line > first && !words.empty()) // the mark of a continuation line
      words.remove_prefix(1);
    size_t begin = words.find_first_not_of(" \t");
    if (begin != words.npos && words[begin] == '&')
      words.remove_prefix(begin + 1);
    size_t end = words.find_last_not_of(" \t");
    if (line < position.line && end != words.npos && words[end] == '&')
      words = words.substr(0, end);
    context.statement += words;
  }
}

void readStatement(CursorContext &context, const SourceFile &file, TextPosition position) {
  const Document &document = file.document;
  int first = firstLine(document, position.line, file.reading.fixedForm);
  std::string text(document.slice({{first, 1}, position}));
  text += mark;
  forEachStatement(text, file.reading.fixedForm, file.reading.columns, [&](const Statement &found) {
    if (found.text.back() != mark)
      return;
    context.code = true;
    context.statement = found.text.substr(0, found.text.size() - 1);
    size_t begin = std::min(found.text.find_first_not_of(" \t"), found.places.size() - 1);
    context.begin = {found.places[begin].line + first - 1, found.places[begin].column};
  });
}

class Brackets {
public:
  std::vector<OpenBracket> read(const std::vector<Token> &tokens) {
    for (size_t i = 0; i < tokens.size(); ++i)
      take(tokens, i);
    return std::move(stack);
  }

private:
  void take(const std::vector<Token> &tokens, size_t i) {
    const Token &token = tokens[i];
    if (token.is("(") || token.is("[") || token.is("<<<")) {
      stack.push_back({token.text[0], i, i + 1, 0, {}, {}});
    } else if (token.is(")") || token.is("]") || token.is(">>>")) {
      char kind = token.text[0] == ')' ? '(' : token.text[0] == ']' ? '[' : '<';
      auto matching = [&](const OpenBracket &bracket) { return bracket.kind == kind; };
      auto found = std::find_if(stack.rbegin(), stack.rend(), matching);
      if (found != stack.rend())
        stack.erase(found.base() - 1, stack.end());
    } else if (!stack.empty() && token.is(",")) {
      OpenBracket &top = stack.back();
      if (!top.keyword.empty())
        top.used.push_back(std::move(top.keyword));
      top.keyword.clear();
      ++top.argument;
      top.argumentBegin = i + 1;
    } else if (!stack.empty() && token.is("=") && i == stack.back().argumentBegin + 1 &&
               tokens[i - 1].kind == Token::Name) {
      stack.back().keyword = tokens[i - 1].text;
    }
  }

  std::vector<OpenBracket> stack;
};

bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

size_t endOfName(std::string_view text, size_t at) {
  while (at < text.size() && isNameCharacter(text[at]))
    ++at;
  return at;
}

// Digits with a point, an exponent and a kind; "1.and." has no point.
size_t endOfNumber(std::string_view text, size_t at) {
  auto digit = [&](size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  while (digit(at))
    ++at;
  bool letterBehind = at + 2 < text.size() && isNameCharacter(text[at + 1]) && !digit(at + 1) &&
                      isNameCharacter(text[at + 2]) && !digit(at + 2);
  if (at < text.size() && text[at] == '.' && !letterBehind)
    ++at;
  while (digit(at))
    ++at;
  if (at + 1 < text.size() && std::string_view("eEdD").find(text[at]) != std::string_view::npos &&
      (text[at + 1] == '+' || text[at + 1] == '-'))
    at += 2;
  return endOfName(text, at);
}

size_t endOfOperator(std::string_view text, size_t at) {
  for (std::string_view sign : {"<<<", ">>>", "=>", "==", "/=", "<=", ">=", "**", "//", "::"})
    if (text.substr(at, sign.size()) == sign)
      return at + sign.size();
  if (text[at] == '.') { // .and.
    size_t end = endOfName(text, at + 1);
    if (end > at + 1 && end < text.size() && text[end] == '.')
      return end + 1;
  }
  return at + 1;
}

} // namespace

std::vector<Token> tokensOf(std::string_view text, bool *openString) {
  std::vector<Token> tokens;
  for (size_t at = 0; at < text.size();) {
    char c = text[at];
    if (c == ' ' || c == '\t') {
      ++at;
      continue;
    }
    Token token;
    token.begin = at;
    size_t end;
    if (c == '\'' || c == '"') {
      token.kind = Token::String;
      end = text.find(c, at + 1);
      if (end == std::string_view::npos && openString)
        *openString = true;
      end = end == std::string_view::npos ? text.size() : end + 1;
    } else if (c >= '0' && c <= '9') {
      token.kind = Token::Number;
      end = endOfNumber(text, at);
    } else if (isNameCharacter(c)) {
      token.kind = Token::Name;
      end = endOfName(text, at);
    } else {
      end = endOfOperator(text, at);
    }
    token.text = token.kind == Token::String ? std::string(text.substr(at, end - at))
                                             : lowerCase(text.substr(at, end - at));
    tokens.push_back(std::move(token));
    at = end;
  }
  return tokens;
}

namespace {

// "1.0_w": the number is one token, of which the kind is being written.
void readKindSuffix(CursorContext &context, TextPosition position) {
  const Token *last = context.last();
  if (!last || last->kind != Token::Number || !context.prefix.empty() ||
      last->begin + last->text.size() != context.statement.size())
    return;
  size_t mark = last->text.find('_');
  if (mark == std::string::npos)
    return;
  context.kindSuffix = true;
  context.prefix = context.statement.substr(last->begin + mark + 1);
  context.word.begin = {position.line, position.column - static_cast<int>(context.prefix.size())};
  context.tokens.pop_back();
}

} // namespace

CursorContext cursorContext(const SourceFile &file, TextPosition position) {
  CursorContext context;
  const Document &document = file.document;
  position = document.positionAt(document.offsetOf(position));
  context.begin = position;
  context.word = wordAt(document, position);
  std::string_view rest = trimmed(
      document.slice({context.word.end,
                      {position.line, static_cast<int>(document.line(position.line).size()) + 1}}));
  context.next = rest.empty() ? '\0' : rest.front();
  std::string_view before = document.slice({{position.line, 1}, position});
  for (const char *kind : {"cuf", "omp", "acc"})
    if (std::string sentinel = "$" + std::string(kind);
        directiveText(before, file.reading.fixedForm, sentinel)) {
      context.directive = kind;
      readDirective(context, document, position, file.reading.fixedForm, sentinel);
    }
  if (context.directive.empty())
    readStatement(context, file, position);
  bool openString = false;
  context.tokens = tokensOf(context.statement, &openString);
  if (openString)
    context.code = false;
  if (!context.tokens.empty() && context.tokens.back().kind == Token::Name &&
      context.tokens.back().begin + context.tokens.back().text.size() == context.statement.size()) {
    context.prefix = context.statement.substr(context.tokens.back().begin);
    context.tokens.pop_back();
  }
  readKindSuffix(context, position);
  context.open = Brackets().read(context.tokens);
  return context;
}

Designator designatorBefore(const std::vector<Token> &tokens, size_t end) {
  Designator result;
  size_t at = std::min(end, tokens.size());
  while (at > 0) {
    for (int depth = 0; at > 0; --at) { // back over brackets
      const Token &token = tokens[at - 1];
      if (token.is(")") || token.is("]") || token.is(">>>"))
        ++depth;
      else if (token.is("(") || token.is("[") || token.is("<<<"))
        --depth;
      else if (depth == 0)
        break;
      if (depth < 0)
        return result.names.empty() ? Designator{} : result;
    }
    if (at == 0 || tokens[at - 1].kind != Token::Name)
      return {};
    result.names.insert(result.names.begin(), tokens[at - 1].text);
    result.begin = at - 1;
    if (at < 2 || !tokens[at - 2].is("%"))
      break;
    at -= 2;
  }
  return result;
}

} // namespace cufc
