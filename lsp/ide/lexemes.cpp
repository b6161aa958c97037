// What lives from line to line: the statement so far, an open string, whether the line ended with
// "&" (free form) and whether a preprocessor directive ended with a backslash.
#include "ide/lexemes.h"
#include <algorithm>
#include <array>

namespace cufc {
namespace {

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNameCharacter(char c) { return isLetter(c) || isDigit(c) || c == '$'; }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v'; }
bool isOneOf(char c, std::string_view set) {
  for (char candidate : set)
    if (candidate == c)
      return true;
  return false;
}
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool startsWith(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(),
                                                  [](char a, char b) { return a == lower(b); });
}

// What follows the mark of a comment is a directive: how much of it is its sentinel, 0 if none.
size_t sentinelLength(std::string_view behindMark) {
  for (std::string_view sentinel : {"$cuf", "@cuf"})
    if (startsWith(behindMark, sentinel))
      return sentinel.size();
  for (std::string_view other : {"$omp", "$acc", "dir$", "pgi$", "nvf$"})
    if (startsWith(behindMark, other))
      return behindMark.size();
  return 0;
}

class Scanner {
public:
  Scanner(Lexemes &result, const SourceReading &reading) : result(result), reading(reading) {}

  void line(std::string_view content, int lineNumber) {
    text = content;
    number = lineNumber;
    lineOffset = static_cast<size_t>(text.data() - result.document->text().data());
    at = 0;
    size_t first = firstNotBlank(0);
    if (macroContinues || (first < text.size() && text[first] == '#'))
      preprocessorLine(first);
    else if (reading.fixedForm)
      fixedLine(first);
    else
      freeLine(first);
  }

  void endStatement() {
    inStatement = false;
    quote = 0;
  }

private:
  size_t firstNotBlank(size_t from) const {
    while (from < text.size() && isBlank(text[from]))
      ++from;
    return from;
  }

  void add(size_t begin, size_t end, LexemeKind kind) {
    if (end > begin)
      result.all.push_back({number, static_cast<int>(begin) + 1, static_cast<int>(end) + 1, kind,
                            static_cast<std::uint32_t>(lineOffset + begin)});
  }

  void beginStatement(StatementSpan::Kind kind) {
    endStatement();
    result.statements.push_back({result.all.size(), result.all.size(), kind});
    inStatement = true;
  }

  void addCode(size_t begin, size_t end, LexemeKind kind) {
    if (!inStatement)
      beginStatement(StatementSpan::Statement);
    add(begin, end, kind);
    result.statements.back().end = result.all.size();
  }

  // A comment that begins at a mark, up to the end of the line. Trailing blanks are not part of it.
  void commentAt(size_t mark) {
    size_t end = text.size();
    while (end > mark && isBlank(text[end - 1]))
      --end;
    add(mark, end, LexemeKind::Comment);
  }

  // A comment line; CUF directives are scanned like statements.
  void commentLine(size_t mark) {
    size_t length = sentinelLength(text.substr(mark + 1));
    if (length == 0)
      return commentAt(mark);
    size_t end = mark + 1 + length;
    bool code = text[mark + 1] == '@';
    if (!code && quote == 0 && continues && startsWith(text.substr(mark + 1), "$cuf"))
      return directiveGoesOn(mark, end);
    beginStatement(code ? StatementSpan::Statement : StatementSpan::Directive);
    addCode(mark, end, LexemeKind::Sentinel);
    continues = characters(end, !reading.fixedForm);
    if (!code && !continues)
      endStatement();
  }

  void directiveGoesOn(size_t mark, size_t end) {
    addCode(mark, end, LexemeKind::Sentinel);
    size_t first = firstNotBlank(end);
    if (first < text.size() && text[first] == '&')
      add(first, first + 1, LexemeKind::Punctuation), ++first;
    continues = characters(first, true);
    if (!continues)
      endStatement();
  }

  void fixedLine(size_t first) {
    if (first >= text.size())
      return;
    if (isOneOf(text[0], "cC*!dD"))
      return commentLine(0);
    if (text[first] == '!' && first != 5)
      return commentLine(first);
    std::string_view whole = text;
    size_t start = 6, tab = text.find('\t');
    bool continued;
    if (tab < 6) {
      continued = tab + 1 < text.size() && text[tab + 1] >= '1' && text[tab + 1] <= '9';
      start = tab + (continued ? 2 : 1);
    } else {
      text = text.substr(0, static_cast<size_t>(std::max(7, reading.columns)));
      continued = text.size() > 5 && text[5] != ' ' && text[5] != '0';
    }
    if (!continued) {
      endStatement();
      fixedLabel(std::min(start, text.size()));
    }
    characters(std::min(start, text.size()), false);
    if (whole.size() > text.size()) { // what stands behind the last column counts as comment
      size_t behind = text.size();
      text = whole;
      if (firstNotBlank(behind) < text.size())
        commentAt(firstNotBlank(behind));
    }
  }

  void fixedLabel(size_t end) {
    size_t begin = firstNotBlank(0), last = begin;
    while (last < end && isDigit(text[last]))
      ++last;
    if (last > begin && begin < end)
      addCode(begin, last, LexemeKind::Label);
  }

  void freeLine(size_t first) {
    if (first >= text.size())
      return;
    if (text[first] == '!' && !quote)
      return commentLine(first);
    if (!continues)
      endStatement();
    else if (text[first] == '&') {
      addCode(first, first + 1, LexemeKind::Punctuation);
      ++first;
    } else if (quote) {
      first = 0;
    }
    if (!inStatement)
      first = freeLabel(first);
    continues = characters(first, true);
  }

  size_t freeLabel(size_t first) {
    size_t end = first;
    while (end < text.size() && isDigit(text[end]))
      ++end;
    if (end == first || end >= text.size() || !isBlank(text[end]))
      return first;
    addCode(first, end, LexemeKind::Label);
    return end;
  }

  // Takes the characters from `from` on; true if the line ends with "&".
  bool characters(size_t from, bool ampersands) {
    at = stringBegin = from;
    while (at < text.size()) {
      if (quote) {
        if (stringPart(ampersands))
          return true;
        continue;
      }
      char c = text[at];
      if (isBlank(c)) {
        ++at;
      } else if (c == '!') {
        commentAt(at);
        return false;
      } else if (ampersands && c == '&' && lineEndsBehind(at + 1)) {
        addCode(at, at + 1, LexemeKind::Punctuation);
        size_t comment = firstNotBlank(at + 1);
        if (comment < text.size())
          commentAt(comment);
        return true;
      } else if (c == ';') {
        endStatement();
        ++at;
      } else {
        lexeme();
      }
    }
    return false;
  }

  bool lineEndsBehind(size_t from) const {
    size_t next = firstNotBlank(from);
    return next >= text.size() || text[next] == '!';
  }

  // The rest of a string from `stringBegin` on. True if it is continued on the next line.
  bool stringPart(bool ampersands) {
    for (; at < text.size(); ++at) {
      if (text[at] == quote) {
        if (at + 1 < text.size() && text[at + 1] == quote) { // stands for one
          ++at;
          continue;
        }
        quote = 0;
        ++at;
        break;
      }
      if (reading.backslashEscapes && text[at] == '\\' && at + 1 < text.size()) {
        ++at;
      } else if (ampersands && text[at] == '&' && firstNotBlank(at + 1) >= text.size()) {
        addCode(stringBegin, at, LexemeKind::String);
        addCode(at, at + 1, LexemeKind::Punctuation);
        return true;
      }
    }
    addCode(stringBegin, at, LexemeKind::String);
    return false;
  }

  void lexeme() {
    size_t begin = at;
    char c = text[at];
    if (c == '\'' || c == '"')
      return openString(begin);
    if (isLetter(c)) {
      while (at < text.size() && isNameCharacter(text[at]))
        ++at;
      if (at == begin + 1 && at < text.size() && (text[at] == '\'' || text[at] == '"') &&
          isOneOf(c, "bozxBOZX"))
        return openString(begin);
      return addCode(begin, at, LexemeKind::Name);
    }
    if (isDigit(c) || (c == '.' && at + 1 < text.size() && isDigit(text[at + 1])))
      return numberLexeme();
    if (c == '.' && dottedEnd(at) > at) {
      at = dottedEnd(begin);
      return addCode(begin, at, LexemeKind::Operator);
    }
    operatorLexeme();
  }

  // The text of the string follows in `stringPart`.
  void openString(size_t begin) {
    stringBegin = begin;
    quote = text[at++];
  }

  // Behind ".letters.", or `from` if that is not there.
  size_t dottedEnd(size_t from) const {
    size_t end = from + 1;
    while (end < text.size() && isLetter(text[end]) && text[end] != '_')
      ++end;
    return end > from + 1 && end < text.size() && text[end] == '.' ? end + 1 : from;
  }

  void digits() {
    while (at < text.size() && isDigit(text[at]))
      ++at;
  }

  void numberLexeme() {
    size_t begin = at;
    digits();
    if (at < text.size() && text[at] == '.' && dottedEnd(at) == at) {
      ++at;
      digits();
    }
    if (at < text.size() && isOneOf(text[at], "eEdDqQ")) {
      size_t exponent = at + 1;
      if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-'))
        ++exponent;
      if (exponent < text.size() && isDigit(text[exponent])) {
        at = exponent;
        digits();
      }
    }
    if (at + 1 < text.size() && text[at] == '_' && isDigit(text[at + 1])) {
      ++at;
      digits();
    }
    addCode(begin, at, LexemeKind::Number);
    if (at + 1 < text.size() && text[at] == '_' && isLetter(text[at + 1])) {
      addCode(at, at + 1, LexemeKind::Punctuation); // the name of a kind follows
      ++at;
    }
  }

  void operatorLexeme() {
    size_t length = operatorLength();
    bool isOperator = length > 1 ? text[at] != ':' : isOneOf(text[at], "+-*/=<>");
    addCode(at, at + length, isOperator ? LexemeKind::Operator : LexemeKind::Punctuation);
    at += length;
  }

  size_t operatorLength() const {
    static constexpr std::string_view pairs = ":: == /= <= >= => ** // && ||";
    char c = text[at];
    if (isOneOf(c, "(),%+-[]") || at + 1 >= text.size()) // the most frequent
      return 1;
    char next = text[at + 1];
    if (next == c && (c == '<' || c == '>') && at + 2 < text.size() && text[at + 2] == c)
      return 3;
    for (size_t i = 0; i < pairs.size(); i += 3)
      if (pairs[i] == c && pairs[i + 1] == next)
        return 2;
    return 1;
  }

  // --- lines of the preprocessor
  void preprocessorLine(size_t first) {
    if (macroContinues) {
      at = first;
    } else {
      interrupts = inStatement && continues;
      directiveWord(first);
    }
    macroContinues = !text.empty() && text.back() == '\\';
    directiveRest(macroContinues ? text.size() - 1 : text.size());
    if (macroContinues)
      return;
    endStatement();
    if (interrupts) // the statement around the directive goes on, in a span of its own
      beginStatement(StatementSpan::Statement);
  }

  void directiveWord(size_t first) {
    beginStatement(StatementSpan::Preprocessor);
    size_t word = firstNotBlank(first + 1), end = word;
    while (end < text.size() && isNameCharacter(text[end]))
      ++end;
    directive.assign(text.substr(word, end - word));
    at = end > word ? end : first + 1;
    addCode(first, at, LexemeKind::Preprocessor);
  }

  // Names of macros where only those can stand; numbers, strings and comments of C.
  void directiveRest(size_t end) {
    bool condition = directive == "if" || directive == "elif";
    bool named = directive == "define" || directive == "undef" || directive.starts_with("ifn") ||
                 directive == "ifdef";
    while (at < end) {
      size_t begin = at;
      if (isBlank(text[at])) {
        ++at;
      } else if (text.substr(at, 2) == "//") {
        return commentAt(at);
      } else if (text.substr(at, 2) == "/*") {
        size_t close = text.find("*/", at + 2);
        at = close == std::string_view::npos ? end : close + 2;
        add(begin, at, LexemeKind::Comment);
      } else if (directive == "include" && (text[at] == '<' || text[at] == '"')) {
        size_t close = text.find(text[at] == '<' ? '>' : '"', at + 1);
        at = close == std::string_view::npos ? end : close + 1;
        addCode(begin, at, LexemeKind::String);
      } else {
        lexeme();
        if (quote)
          stringPart(false);
        quote = 0;
        Lexeme &last = result.all.back();
        if (last.kind == LexemeKind::Name && (condition || named))
          last.kind = text.substr(begin, at - begin) == "defined" && condition ? LexemeKind::Keyword
                                                                               : LexemeKind::Macro;
        named = false;
      }
    }
  }

  Lexemes &result;
  const SourceReading &reading;
  std::string_view text;
  int number = 0;
  size_t at = 0, lineOffset = 0;
  char quote = 0;
  size_t stringBegin = 0;
  bool continues = false, inStatement = false, macroContinues = false, interrupts = false;
  std::string directive;
};

TextPosition beginOf(const Lexeme &lexeme) { return {lexeme.line, lexeme.column}; }

} // namespace

std::string Lexemes::wordOf(const Lexeme &lexeme) const {
  std::string word(textOf(lexeme));
  std::transform(word.begin(), word.end(), word.begin(), lower);
  return word;
}

std::vector<size_t> Lexemes::code(const StatementSpan &statement) const {
  std::vector<size_t> numbers;
  for (size_t i = statement.first; i < statement.end; ++i)
    if (all[i].kind != LexemeKind::Comment && !isCharacter(all[i], '&'))
      numbers.push_back(i);
  return numbers;
}

TextRange Lexemes::rangeOf(const StatementSpan &statement) const {
  if (statement.end <= statement.first)
    return {};
  return {all[statement.first].range().begin, all[statement.end - 1].range().end};
}

std::string Lexemes::joined(const StatementSpan &statement) const {
  std::string text;
  const Lexeme *last = nullptr;
  for (size_t i = statement.first; i < statement.end; ++i) {
    const Lexeme &lexeme = all[i];
    if (lexeme.kind == LexemeKind::Comment || lexeme.kind == LexemeKind::Label ||
        lexeme.kind == LexemeKind::Sentinel || isCharacter(lexeme, '&'))
      continue;
    if (last && (last->line != lexeme.line || last->endColumn != lexeme.column))
      text += ' ';
    text += textOf(lexeme);
    last = &lexeme;
  }
  return text;
}

size_t Lexemes::firstBehind(TextPosition position) const {
  auto found = std::upper_bound(all.begin(), all.end(), position,
                                [](TextPosition p, const Lexeme &l) { return p < l.range().end; });
  return static_cast<size_t>(found - all.begin());
}

int Lexemes::statementAt(TextPosition position) const {
  auto next = std::upper_bound(statements.begin(), statements.end(), position,
                               [&](TextPosition p, const StatementSpan &s) {
                                 return s.first >= all.size() || p < beginOf(all[s.first]);
                               });
  return static_cast<int>(next - statements.begin()) - 1;
}

Lexemes scanLexemes(const Document &document, const SourceReading &reading) {
  Lexemes result;
  result.document = &document;
  result.all.reserve(document.text().size() / 4);
  Scanner scanner(result, reading);
  for (int line = 1; line <= document.lineCount(); ++line)
    scanner.line(document.line(line), line);
  std::erase_if(result.statements, [](const StatementSpan &s) { return s.first == s.end; });
  return result;
}

} // namespace cufc
