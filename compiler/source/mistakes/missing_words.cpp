// Words and signs that are missing or misspelled: THEN, commas, colons, ampersands, CONTAINS,
// attributes.
#include "base/mistake_diag.h"
#include "base/source_text.h"
#include "source/blocks.h"
#include "source/mistakes/mistake_text.h"
#include "source/statement_words.h"
#include <algorithm>

namespace cufc {
namespace {

using Found = std::optional<Diagnostic>;

const std::vector<std::string_view> &attributesOfData() {
  static const std::vector<std::string_view> words = [] {
    std::vector<std::string_view> rows = wordsWith(word_role::Memory | word_role::Data);
    rows.insert(rows.end(), {"kind", "len"});
    return rows;
  }();
  return words;
}

bool isAttribute(std::string_view word) {
  const auto &words = attributesOfData();
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The condition of an IF or DO WHILE: the parentheses around it.
struct Condition {
  size_t open, close;
  std::string_view statement; // "IF", "ELSE IF"
};

std::optional<Condition> conditionOf(std::string_view code) {
  size_t at = indentationOf(code);
  std::string_view word = nameAt(code, at), statement = "IF";
  if (word == "else" || word == "elseif") {
    statement = "ELSE IF";
    at = word == "else" ? skipBlanks(code, at + 4) : at;
    word = word == "else" ? nameAt(code, at) : word;
  } else if (word == "do") {
    statement = "DO WHILE";
    at = skipBlanks(code, at + 2);
    word = nameAt(code, at);
  }
  if (word != "if" && word != "elseif" && word != "while")
    return std::nullopt;
  size_t open = skipBlanks(code, at + word.size());
  if (open >= code.size() || code[open] != '(')
    return std::nullopt;
  auto close = closing(code, open);
  if (!close)
    return std::nullopt;
  return Condition{open, *close, statement};
}

// "if (i = 1)"
Found assignmentInCondition(const MistakePlace &at) {
  auto condition = conditionOf(at.code);
  if (!condition)
    return std::nullopt;
  int depth = 0;
  for (size_t i = condition->open; i < condition->close; ++i) {
    char c = at.code[i];
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    bool alone = c == '=' && at.code[i + 1] != '=' && at.code[i + 1] != '>' &&
                 std::string_view("=/<>").find(at.code[i - 1]) == std::string_view::npos;
    if (alone && depth == 1) // deeper ones name arguments
      return Finding(at, MistakeDiag::AssignmentInCondition, i, i + 1)
          .fix("replace by '=='")
          .replace(i, i + 1, "==");
  }
  return std::nullopt;
}

// "if (x > 1)" alone on its line
Found then(const MistakePlace &at) {
  auto condition = conditionOf(at.code);
  if (!condition || condition->statement == "DO WHILE" ||
      !trimmed(std::string_view(at.code).substr(condition->close + 1)).empty())
    return std::nullopt;
  return Finding(at, MistakeDiag::MissingThen, condition->close, condition->close + 1,
                 condition->statement)
      .fix("insert THEN")
      .insert(condition->close + 1, " then");
}

// Whether an END IF or ELSE stands at the margin of `line` behind it.
bool hasEndBehind(const MistakeText &text, int line) {
  size_t margin = indentationOf(text.code(line));
  for (int next = line + 1; next <= text.count(); ++next) {
    const std::string &code = text.code(next);
    size_t begin = indentationOf(code);
    if (trimmed(code).empty() || begin > margin)
      continue;
    std::string_view word = nameAt(code, begin);
    bool endsIf = word == "end" && nameAt(code, skipBlanks(code, begin + 3)) == "if";
    return begin == margin && (endsIf || word == "endif" || word == "else" || word == "elseif");
  }
  return false;
}

// "if (x > 1) then y = 2"
Found statementBehindThen(const MistakePlace &at) {
  auto condition = conditionOf(at.code);
  if (!condition || condition->statement == "DO WHILE")
    return std::nullopt;
  size_t word = skipBlanks(at.code, condition->close + 1);
  size_t next = skipBlanks(at.code, word + 4);
  if (next >= at.code.size() || nameAt(at.code, word) != "then" || at.code[next] == ';')
    return std::nullopt;
  Finding finding(at, MistakeDiag::StatementBehindThen, next, at.code.find_last_not_of(' ') + 1);
  std::string margin(indentationOf(at.code) + 2, ' ');
  if (condition->statement == "ELSE IF" || hasEndBehind(at.text, at.line))
    return finding.fix("write it in the next line").replace(word + 4, next, "\n" + margin);
  return finding.fix("remove THEN").replace(word, next, "");
}

// Where the attributes of a declaration begin, and where they end: at the colons, or where the
// first name stands.
struct Attributes {
  size_t begin, end;
  bool colons;
};

std::optional<Attributes> attributesOf(std::string_view code) {
  if (!isDeclaration(code))
    return std::nullopt;
  size_t at = indentationOf(code);
  bool isDouble = nameAt(code, at) == "double";
  at = endOfName(code, at);
  if (isDouble)
    at = endOfName(code, skipBlanks(code, at));
  size_t next = skipBlanks(code, at);
  if (next < code.size() && code[next] == '*')
    at = endOfName(code, next + 1);
  else if (next < code.size() && code[next] == '(') {
    auto close = closing(code, next);
    if (!close)
      return std::nullopt;
    at = *close + 1;
  }
  size_t colons = code.find("::");
  if (colons != std::string_view::npos)
    return Attributes{at, colons, true};
  return Attributes{at, code.size(), false};
}

// Calls visit(begin, word, afterComma) for the words between type and names.
template <typename Visit>
void forEachAttribute(std::string_view code, const Attributes &all, Visit visit) {
  bool comma = false;
  for (size_t at = skipBlanks(code, all.begin); at < all.end; at = skipBlanks(code, at)) {
    if (code[at] == ',') {
      comma = true;
      ++at;
      continue;
    }
    std::string_view word = nameAt(code, at);
    if (word.empty() || !visit(at, word, comma))
      return;
    comma = false;
    at += word.size();
    size_t open = skipBlanks(code, at);
    if (open < all.end && code[open] == '(')
      if (auto close = closing(code, open))
        at = *close + 1;
  }
}

// "real intent(in) :: x", "real, devce :: x"
Found attributes(const MistakePlace &at) {
  auto all = attributesOf(at.code);
  if (!all)
    return std::nullopt;
  Found found;
  forEachAttribute(at.code, *all, [&](size_t begin, std::string_view word, bool comma) {
    if (!all->colons && !isAttribute(word) &&
        (!comma || nearestWord(word, attributesOfData()).empty()))
      return false; // names of variables
    if (!comma && isAttribute(word)) {
      size_t end = at.code.find_last_not_of(' ', begin - 1) + 1;
      found = Finding(at, MistakeDiag::MissingComma, begin, begin + word.size(),
                      at.raw.substr(begin, word.size()))
                  .fix("insert a comma")
                  .insert(end, ",");
    } else if (!isAttribute(word)) {
      std::string_view meant = nearestWord(word, attributesOfData());
      if (!meant.empty())
        found = Finding(at, MistakeDiag::UnknownAttribute, begin, begin + word.size(),
                        at.raw.substr(begin, word.size()), "attribute", meant)
                    .fix("replace by '" + std::string(meant) + "'")
                    .replace(begin, begin + word.size(), std::string(meant));
    }
    return !found;
  });
  return found;
}

// "integer, parameter n = 1", "integer i = 0"
Found colons(const MistakePlace &at) {
  auto all = attributesOf(at.code);
  if (!all || all->colons)
    return std::nullopt;
  size_t name = at.code.size();
  forEachAttribute(at.code, *all, [&](size_t begin, std::string_view word, bool comma) {
    bool attribute = comma && isAttribute(word);
    if (!attribute)
      name = begin;
    return attribute;
  });
  bool needed = name < at.code.size() &&
                (at.code.find('=', name) != std::string::npos ||
                 at.code.substr(all->begin, name - all->begin).find(',') != std::string::npos);
  if (!needed || at.code.substr(all->begin, name - all->begin).ends_with(", "))
    return std::nullopt;
  return Finding(at, MistakeDiag::MissingColons, name, endOfName(at.code, name),
                 nameAt(at.raw, name))
      .fix("insert '::'")
      .insert(name, ":: ");
}

// "attributes(globl) subroutine", and the words of a directive: "!$cuf kernal do"
Found wordsOfCuda(const MistakePlace &at) {
  static const std::vector<std::string_view> prefixes{
      "global", "device",  "host",   "grid_global", "constant",
      "shared", "managed", "pinned", "texture",     "unified"};
  size_t begin = indentationOf(at.code);
  if (std::string_view(at.code).substr(begin).starts_with("!$cuf")) {
    size_t word = skipBlanks(at.code, begin + 5);
    for (std::string_view wanted : {"kernel", "do"}) {
      std::string_view name = nameAt(at.code, word);
      if (name != wanted && editDistance(name, wanted) <= wanted.size() / 2)
        return Finding(at, MistakeDiag::UnknownAttribute, word, word + name.size(),
                       at.raw.substr(word, name.size()), "word of this directive", wanted)
            .fix("replace by '" + std::string(wanted) + "'")
            .replace(word, word + name.size(), std::string(wanted));
      word = skipBlanks(at.code, word + name.size());
    }
    return std::nullopt;
  }
  std::string_view opening = nameAt(at.code, begin);
  size_t open = skipBlanks(at.code, begin + opening.size());
  if (opening != "attributes" || open >= at.code.size() || at.code[open] != '(')
    return std::nullopt;
  size_t close = std::min(at.code.find(')', open), at.code.size());
  for (size_t place = skipBlanks(at.code, open + 1); place < close;) {
    std::string_view word = nameAt(at.code, place);
    std::string_view meant = nearestWord(word, prefixes);
    if (std::find(prefixes.begin(), prefixes.end(), word) == prefixes.end() && !meant.empty())
      return Finding(at, MistakeDiag::UnknownAttribute, place, place + word.size(),
                     at.raw.substr(place, word.size()), "attribute", meant)
          .fix("replace by '" + std::string(meant) + "'")
          .replace(place, place + word.size(), std::string(meant));
    place = skipBlanks(at.code, std::max(place + word.size(), place + 1));
    if (place < close && at.code[place] == ',')
      place = skipBlanks(at.code, place + 1);
  }
  return std::nullopt;
}

// "call s(a, b," without an ampersand: the error is in this line, or in the next one.
Found continuation(const MistakePlace &at) {
  auto missing = [](std::string_view text) {
    return std::count(text.begin(), text.end(), '(') - std::count(text.begin(), text.end(), ')');
  };
  if (at.text.fixedForm)
    return std::nullopt;
  for (int line : {at.line, at.line - 1}) {
    const std::string &code = at.text.code(line);
    int after = line + 1; // comments may stand between
    while (after < line + 4 && trimmed(at.text.code(after)).empty())
      ++after;
    std::string_view before = trimmed(code), next = trimmed(at.text.code(after));
    bool goesOn =
        !before.empty() && std::string_view(",(+-*").find(before.back()) != std::string_view::npos;
    if (!goesOn || missing(before) <= 0 || missing(before) + missing(next) != 0)
      continue;
    size_t end = indentationOf(code) + before.size();
    MistakePlace place{at.text, at.error, line, end, at.text.raw(line), code};
    return Finding(place, MistakeDiag::MissingContinuation, end - 1, end)
        .fix("insert '&'")
        .insert(end, " &");
  }
  return std::nullopt;
}

// "print *, 'text"
Found quote(const MistakePlace &at) {
  char open = 0;
  size_t begin = 0;
  for (size_t i = 0; i < at.code.size(); ++i)
    if (char c = at.code[i]; c == '\'' || c == '"') {
      begin = open ? begin : i;
      open = open ? 0 : c;
    }
  if (!open || trimmed(at.raw).ends_with("&"))
    return std::nullopt;
  std::string mark(1, open);
  size_t end = indentationOf(at.raw) + trimmed(at.raw).size();
  return Finding(at).underline(begin, end).fix("insert " + mark).insert(end, mark);
}

// A procedure among the declarations of a module or program.
Found contains(const MistakePlace &at) {
  StatementRole role = roleOf(at.code, false);
  if (role.kind != StatementRole::Opens ||
      (role.block != Block::Subroutine && role.block != Block::Function))
    return std::nullopt;
  for (int line = at.line - 1; line >= 1; --line) {
    std::string_view code = trimmed(at.text.code(line));
    StatementRole above = roleOf(code, false);
    if (above.kind == StatementRole::Other || code.empty())
      continue;
    if (above.kind == StatementRole::Closes && !isUnit(above.block) && above.block != Block::None)
      continue;
    if (above.kind == StatementRole::Opens &&
        (above.block == Block::Type || above.block == Block::Enum))
      continue;
    bool holds = above.kind == StatementRole::Opens &&
                 (above.block == Block::Module || above.block == Block::Program);
    if (!holds)
      return std::nullopt;
    std::string_view opening = at.text.raw(line);
    std::string margin(opening.substr(0, indentationOf(opening)));
    size_t begin = indentationOf(at.code), end = begin + trimmed(at.code).size();
    return Finding(at, MistakeDiag::MissingContains, begin, end, trimmed(opening))
        .fix("insert CONTAINS")
        .replace(at.line, 0, 0, margin + "contains\n");
  }
  return std::nullopt;
}

bool isSpecification(std::string_view code) {
  std::string_view word = nameAt(code, indentationOf(code));
  return trimmed(code).empty() || isDeclaration(code) || hasRole(word, word_role::Declares);
}

// A declaration among the statements: it goes behind the others.
Found lateDeclaration(const MistakePlace &at) {
  bool late = at.error.message.find("misplaced declaration") != std::string::npos;
  if (!late || !isDeclaration(at.code) || trimmed(at.code).ends_with("&") ||
      at.code.find(';') != std::string::npos)
    return std::nullopt;
  int last = lastDeclaration(at.text, at.line);
  if (last == 0)
    return std::nullopt;
  bool first = !isSpecification(at.text.code(last)); // the unit's own statement
  std::string margin(at.text.raw(first ? at.line : last));
  margin.resize(indentationOf(margin));
  size_t end = at.text.raw(last).size();
  SourceRange whole{at.text.file, at.line, 1, at.line + 1, 1};
  return Finding(at)
      .fix("move the declaration before the first statement")
      .replace(last, end, end, "\n" + margin + std::string(trimmed(at.raw)))
      .edit({whole, ""});
}

} // namespace

int lastDeclaration(const MistakeText &text, int before) {
  std::vector<OpenBlock> around = blocksAround(text, before);
  while (!around.empty() && !isUnit(around.back().block))
    around.pop_back();
  if (around.empty())
    return 0;
  const int unit = around.back().line;
  int last = unit;
  for (int line = unit; line < before; ++line) {
    const std::string &code = text.code(line);
    bool goesOn = line == unit || isSpecification(code) || trimmed(code).ends_with("&") ||
                  trimmed(text.code(line - 1)).ends_with("&");
    if (!goesOn)
      return last;
    if (!trimmed(code).empty())
      last = line;
  }
  return last;
}

const std::vector<MistakeRule> &rulesOfWords() {
  static const std::vector<MistakeRule> rules{lateDeclaration,
                                              assignmentInCondition,
                                              wordsOfCuda,
                                              attributes,
                                              colons,
                                              continuation,
                                              quote,
                                              then,
                                              statementBehindThen,
                                              contains};
  return rules;
}

} // namespace cufc
