// A statement is read from left to right. Its first word says what may follow: further words, a
// list of attributes, specifiers in parentheses, or another statement ("if (x) call s"). Broken
// statements give what can be read.
#include "ide/keywords.h"
#include "source/statement_words.h"
#include <algorithm>
#include <array>
#include <unordered_set>

namespace cufc {
namespace {

using Words = std::unordered_set<std::string_view>;

constexpr unsigned attributes =
    word_role::Type | word_role::Prefix | word_role::Memory | word_role::Data | word_role::Part;

// In the parentheses of an attribute: "intent(in)", "attributes(global)", "real(kind=8)".
const Words &attributeValues() {
  static const Words words = {"in",          "out", "inout", "host", "device", "global",
                              "grid_global", "c",   "kind",  "len",  "name"};
  return words;
}

class Marker {
public:
  explicit Marker(Lexemes &lexemes) : lexemes(lexemes) {}

  void statement(const StatementSpan &span) {
    parts.clear();
    for (size_t i = span.first; i < span.end; ++i) {
      const Lexeme &lexeme = lexemes.all[i];
      if (lexeme.kind == LexemeKind::Comment || lexeme.kind == LexemeKind::Label)
        continue;
      if (lexemes.isCharacter(lexeme, '&'))
        continue;
      if (lexeme.kind != LexemeKind::Sentinel || span.kind != StatementSpan::Statement)
        parts.push_back(i);
    }
    if (span.kind == StatementSpan::Directive)
      directive();
    else if (span.kind == StatementSpan::Statement)
      from(0);
  }

private:
  std::string_view text(const Lexeme &lexeme) const { return lexemes.textOf(lexeme); }
  Lexeme *at(size_t part) { return part < parts.size() ? &lexemes.all[parts[part]] : nullptr; }
  bool is(size_t part, std::string_view what) {
    Lexeme *lexeme = at(part);
    return lexeme && text(*lexeme) == what;
  }
  bool is(size_t part, char what) {
    Lexeme *lexeme = at(part);
    return lexeme && lexemes.isCharacter(*lexeme, what);
  }
  // The name at a place in lower case; valid until the next call.
  std::string_view word(size_t part) {
    Lexeme *lexeme = at(part);
    if (!lexeme || (lexeme->kind != LexemeKind::Name && lexeme->kind != LexemeKind::Keyword))
      return {};
    std::string_view letters = text(*lexeme);
    if (letters.size() > buffer.size())
      return {};
    std::transform(letters.begin(), letters.end(), buffer.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return {buffer.data(), letters.size()};
  }
  void mark(size_t part) { lexemes.all[parts[part]].kind = LexemeKind::Keyword; }

  // Behind the parenthesis that opens at a part.
  size_t behindParentheses(size_t part) {
    int depth = 0;
    for (; part < parts.size(); ++part) {
      if (is(part, '('))
        ++depth;
      else if (is(part, ')') && --depth == 0)
        return part + 1;
    }
    return part;
  }

  // "name =", "name(i) =", "name%part": the first word is a variable.
  bool isVariable(size_t part) {
    ++part;
    if (is(part, '%') || is(part, '=') || is(part, "=>"))
      return true;
    if (!is(part, '('))
      return false;
    while (is(part, '('))
      part = behindParentheses(part);
    return is(part, '=') || is(part, "=>") || is(part, '%');
  }

  void from(size_t part) {
    if (!word(part).empty() && is(part + 1, ':')) // the name of a construct
      part += 2;
    const StatementWord *row = statementWord(word(part));
    if (!row || row->form == WordForm::None || isVariable(part))
      return;
    mark(part);
    switch (row->form) {
    case WordForm::None:
    case WordForm::Alone:
      return alone(part);
    case WordForm::Words:
      return words(part);
    case WordForm::Attributes:
      return attributeList(part);
    case WordForm::Specifiers:
      return specifiers(part + 1);
    case WordForm::Conditional:
      return conditional(part + 1);
    case WordForm::Use:
      return use(part + 1);
    }
  }

  void alone(size_t part) {
    std::string_view name = word(part);
    if (name == "entry")
      procedureTail(part + 2);
    if (name == "private" || name == "public")
      markIf(part + (is(part + 1, "::") ? 2 : 1), {"operator", "assignment"});
  }

  void markIf(size_t part, std::initializer_list<std::string_view> allowed) {
    if (std::find(allowed.begin(), allowed.end(), word(part)) != allowed.end())
      mark(part);
  }

  void words(size_t part) {
    bool isDo = word(part) == "do", isElse = word(part) == "else", isEnd = word(part) == "end";
    size_t last = part;
    for (size_t next = part + 1; next < parts.size() && next <= part + 3; ++next) {
      if (isDo && next == part + 1 && at(next)->kind == LexemeKind::Number)
        continue; // the label of "do 10 while"
      bool named = isEnd && next > part + 1 && word(part + 1) != "block" &&
                   word(part + 1) != "interface"; // what follows "end module" is its name
      if (named || !hasRole(word(next), word_role::Follows | word_role::Closes))
        break;
      mark(next);
      last = next;
    }
    if (isElse && last > part && is(last + 1, '('))
      conditional(last + 1);
    if (word(part) == "enum")
      attributeList(part + 1);
    if (isDo && word(last) == "concurrent" && is(last + 1, '('))
      for (size_t next = behindParentheses(last + 1); next < parts.size(); ++next)
        markIf(next, {"local", "local_init", "shared", "default", "reduce"});
  }

  // Attributes and types up to "::", or the name of a procedure or of the first entity.
  void attributeList(size_t part) {
    bool comma = true; // an attribute may follow
    for (; part < parts.size() && !is(part, "::"); ++part) {
      if (is(part, '(')) {
        size_t end = behindParentheses(part);
        for (; part < end; ++part)
          if (attributeValues().contains(word(part)))
            mark(part);
        --part;
      } else if (is(part, ',')) {
        comma = true;
      } else if (word(part) == "subroutine" || word(part) == "function") {
        mark(part);
        return procedureTail(part + 2);
      } else if (hasRole(word(part), attributes) && (comma || isPrefix(part))) {
        mark(part);
        comma = false;
      } else if (word(part) == "is" || word(part) == "default") { // "type is (t)"
        mark(part);
        return;
      } else if (!is(part, '*') && at(part)->kind != LexemeKind::Number) {
        return;
      }
    }
    if (is(part, "::"))
      markIf(part + 1, {"operator", "assignment", "read", "write"});
  }

  // A word that may stand behind another without a comma.
  bool isPrefix(size_t part) {
    return (isBeforeProcedure(word(part)) || word(part) == "procedure") && part + 1 < parts.size();
  }

  // What follows the name of a procedure: "(x) result(y) bind(c, name='z')".
  void procedureTail(size_t part) {
    if (is(part, '('))
      part = behindParentheses(part);
    for (; part < parts.size(); ++part)
      markIf(part, {"result", "bind", "c", "name"});
  }

  // "unit=" and the like, at the first level of parentheses.
  void specifiers(size_t part) {
    size_t end = is(part, '(') ? behindParentheses(part) : part;
    int depth = 0;
    for (; part < end; ++part) {
      if (is(part, '('))
        ++depth;
      else if (is(part, ')'))
        --depth;
      else if (depth == 1 && is(part + 1, '=') && !word(part).empty())
        mark(part);
    }
  }

  void conditional(size_t part) {
    part = is(part, '(') ? behindParentheses(part) : part;
    if (word(part) == "then")
      mark(part);
    else if (part < parts.size())
      from(part);
  }

  void use(size_t part) {
    if (is(part, ',')) {
      markIf(part + 1, {"intrinsic", "non_intrinsic"});
      part += 2;
    }
    if (is(part, "::"))
      ++part;
    if (!is(part + 1, ','))
      return;
    if (is(part + 3, ':'))
      markIf(part + 2, {"only"});
    for (size_t next = part + 2; next < parts.size(); ++next)
      if (is(next + 1, '('))
        markIf(next, {"operator", "assignment"});
  }

  // "!$cuf kernel do(2) <<<*, *>>> reduce(+:total)".
  void directive() {
    int depth = 0;
    for (size_t part = 1; part < parts.size(); ++part) {
      if (is(part, '('))
        ++depth;
      else if (is(part, ')'))
        --depth;
      else if (depth == 0)
        markIf(part, {"kernel", "do", "reduce", "reduction", "device", "async"});
    }
  }

  Lexemes &lexemes;
  std::vector<size_t> parts; // of the statement, without comments
  std::array<char, 64> buffer{};
};

} // namespace

void markKeywords(Lexemes &lexemes) {
  Marker marker(lexemes);
  for (const StatementSpan &span : lexemes.statements)
    marker.statement(span);
}

bool isKeywordAnywhere(std::string_view word) {
  const StatementWord *row = statementWord(word);
  return row && (row->form != WordForm::None ||
                 (row->roles & (attributes | word_role::Follows | word_role::Closes)));
}

Lexemes lexemesOf(const Document &document, const SourceReading &reading) {
  Lexemes lexemes = scanLexemes(document, reading);
  markKeywords(lexemes);
  return lexemes;
}

} // namespace cufc
