// Outside of parentheses all operators but *, / and ** get blanks. Inside, "+" and "-" only get a
// second blank where they have one, and "=" (a keyword argument) none.
#include "ide/format/spacing.h"
#include "base/source_text.h"
#include "ide/format/keywords.h"
#include <algorithm>
#include <cctype>

namespace cufc {
namespace {

bool isOneOf(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

bool isLogical(const std::string &text) {
  return isOneOf(text, {".and.", ".or.", ".eqv.", ".neqv.", ".xor.", ".eq.", ".ne.", ".lt.", ".le.",
                        ".gt.", ".ge.", ".not."});
}

bool isLiteral(const std::string &text) { return text == ".true." || text == ".false."; }

// "(:,:)" and "(*,*)" stay as they are.
size_t endOfPlainGroup(const std::vector<LineToken> &tokens, size_t open, std::string_view line) {
  for (size_t i = open + 1; i < tokens.size(); ++i) {
    if (tokens[i].kind == LineToken::Close)
      return i;
    bool plain = tokens[i].kind == LineToken::Comma || tokens[i].kind == LineToken::Colon ||
                 tokens[i].in(line) == "*" || tokens[i].in(line) == "::";
    if (!plain)
      break;
  }
  return open;
}

class LineSpacing {
public:
  LineSpacing(std::string_view line, const std::vector<LineToken> &tokens, SpacingState &state,
              const SpacingOptions &options)
      : line(line), tokens(tokens), state(state), options(options), before(tokens.size()),
        after(tokens.size()) {}

  std::string run() {
    for (size_t i = 0; i < tokens.size(); ++i)
      look(i);
    std::string result;
    for (size_t i = 0; i < tokens.size(); ++i) {
      size_t blanksBegin = i > 0 ? tokens[i - 1].end : 0;
      std::string_view blanks = line.substr(blanksBegin, tokens[i].begin - blanksBegin);
      if (blanks.empty() && i > 0 && (after[i - 1] || before[i]) && mayPart(i))
        result += ' ';
      result += blanks;
      result += words.contains(i) ? words.at(i) : std::string(tokens[i].in(line));
    }
    return result;
  }

private:
  bool isAmpersand(size_t i) const {
    return i < tokens.size() && tokens[i].kind == LineToken::Ampersand;
  }
  // Whether a blank may stand before token i, which is not the first.
  bool mayPart(size_t i) const {
    if (isAmpersand(i - 1) || isAmpersand(i))
      return false;
    // A token that goes on from the line before.
    return !(i >= 2 && isAmpersand(i - 2) && tokens[i - 2].end == tokens[i - 1].begin);
  }
  bool blankBefore(size_t i) const { return i > 0 && tokens[i - 1].end < tokens[i].begin; }
  bool blankAfter(size_t i) const {
    return i + 1 < tokens.size() && tokens[i].end < tokens[i + 1].begin;
  }
  void around(size_t i) {
    // "operator(==)" and "only: operator(+)" keep their form.
    if (i > 0 && tokens[i - 1].kind == LineToken::Open)
      return;
    if (i + 1 < tokens.size() && tokens[i + 1].kind == LineToken::Close)
      return;
    before[i] = after[i] = true;
  }

  void look(size_t i) {
    const LineToken &token = tokens[i];
    bool wasOperand = state.operand;
    switch (token.kind) {
    case LineToken::Word:
      word(i);
      break;
    case LineToken::Open:
      ++state.depth;
      plainUntil = std::max(plainUntil, endOfPlainGroup(tokens, i, line));
      break;
    case LineToken::Close:
      state.depth = std::max(0, state.depth - 1);
      if (options.operators && i + 1 < tokens.size() && tokens[i + 1].kind == LineToken::Word &&
          state.depth == 0 && !state.verbatim)
        after[i] = true;
      break;
    case LineToken::Comma:
      if (i >= plainUntil && options.operators && !state.verbatim)
        after[i] = true;
      break;
    case LineToken::Operator:
      if (options.operators && !state.verbatim)
        operation(i, wasOperand);
      if (token.in(line) == "::" && state.depth == 0)
        state.declaration = false;
      break;
    case LineToken::Semicolon:
      after[i] = options.operators;
      state = SpacingState{.lexer = state.lexer};
      return;
    case LineToken::Ampersand:
    case LineToken::Comment:
      return; // the same before and behind
    default:
      break;
    }
    bool literal = token.kind == LineToken::Operator && isLiteral(lowerCase(token.in(line)));
    state.operand = endsOperand(token.kind) || literal;
    if (token.kind != LineToken::Number || !state.beginsStatement) // a label
      state.beginsStatement = false;
  }

  static bool endsOperand(LineToken::Kind kind) {
    return kind == LineToken::Word || kind == LineToken::Number || kind == LineToken::String ||
           kind == LineToken::Close;
  }

  void word(size_t i) {
    std::string text = lowerCase(tokens[i].in(line));
    std::string_view next = i + 1 < tokens.size() ? tokens[i + 1].in(line) : std::string_view();
    if (state.beginsStatement) {
      state.verbatim = text == "format" && next == "(";
      state.declaration = true;
    }
    if (text == "only" && next == ":" && options.operators && i + 1 < tokens.size())
      after[i + 1] = true;
    if (options.keywords == KeywordCase::Keep || options.macros.contains(text))
      return;
    KeywordContext context;
    context.word = text;
    context.next = next;
    context.previous = i > 0 ? lowerCase(tokens[i - 1].in(line)) : std::string();
    context.beginsStatement = state.beginsStatement;
    context.declaration = state.declaration;
    context.depth = state.depth;
    context.assignment = state.beginsStatement && isAssignment(i);
    context.last = i + 1 == tokens.size() || tokens[i + 1].kind == LineToken::Comment ||
                   tokens[i + 1].kind == LineToken::Semicolon;
    if (state.beginsStatement && context.assignment)
      state.declaration = false;
    if (isKeyword(context)) {
      if (options.keywords == KeywordCase::Upper)
        for (char &c : text)
          c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      words[i] = text;
    }
  }

  // Whether "name(...)%x = " follows: then the name is none of a statement.
  bool isAssignment(size_t i) const {
    int depth = 0;
    for (size_t k = i + 1; k < tokens.size(); ++k) {
      const LineToken &token = tokens[k];
      if (token.kind == LineToken::Open)
        ++depth;
      else if (token.kind == LineToken::Close)
        --depth;
      else if (depth == 0 && (token.in(line) == "=" || token.in(line) == "=>"))
        return true;
      else if (depth == 0 && token.in(line) == "%")
        ++k;
      else if (depth == 0)
        return false;
    }
    return false;
  }

  void operation(size_t i, bool binary) {
    std::string text = lowerCase(tokens[i].in(line));
    if (text == "+" || text == "-") {
      if (binary && !(i > 0 && isOneOf(lowerCase(tokens[i - 1].in(line)), {"stop", "return"})))
        if (state.depth == 0 || blankBefore(i) != blankAfter(i))
          around(i);
      return;
    }
    if (text == ".not.") {
      before[i] = i > 0 && tokens[i - 1].kind != LineToken::Open;
      return;
    }
    bool outside = state.depth == 0 && (text == "=" || text == "::");
    if (outside || isLogical(text) || isOneOf(text, {"==", "/=", "<=", ">=", "<", ">", "=>"}))
      around(i);
  }

  std::string_view line;
  const std::vector<LineToken> &tokens;
  SpacingState &state;
  const SpacingOptions &options;
  std::vector<bool> before, after;     // blanks wanted around each token
  std::map<size_t, std::string> words; // in another case
  size_t plainUntil = 0;
};

} // namespace

std::string spaced(std::string_view line, SpacingState &state, const SpacingOptions &options) {
  LexerState begin = state.lexer;
  std::vector<LineToken> tokens = tokensOf(line, state.lexer);
  if (state.lexer.broken)
    return std::string(line);
  std::string result = LineSpacing(line, tokens, state, options).run();
  bool anyCase = options.keywords != KeywordCase::Keep;
  return result == line || sameTokens(line, result, begin, anyCase) ? result : std::string(line);
}

bool sameTokens(std::string_view a, std::string_view b, LexerState state, bool anyCase) {
  LexerState other = state;
  std::vector<LineToken> first = tokensOf(a, state), second = tokensOf(b, other);
  if (first.size() != second.size() || state.quote != other.quote || state.launch != other.launch)
    return false;
  for (size_t i = 0; i < first.size(); ++i) {
    std::string_view x = first[i].in(a), y = second[i].in(b);
    bool words = first[i].kind == LineToken::Word || first[i].kind == LineToken::Operator;
    if (first[i].kind == LineToken::Comment) {
      x = x.substr(0, x.find_last_not_of(" \t\r") + 1);
      y = y.substr(0, y.find_last_not_of(" \t\r") + 1);
    }
    if (first[i].kind != second[i].kind ||
        (x != y && !(anyCase && words && lowerCase(x) == lowerCase(y))))
      return false;
  }
  return true;
}

} // namespace cufc
