// A file of fixed form in free form: comments begin with "!", lines that go on end with "&", what
// stands behind the last column becomes a comment. Statements stay where they are.
//
// Blanks inside of names and keywords mean nothing in fixed form and much in free form; what they
// make of a text shows when the result is analysed.
#include "base/source_text.h"
#include "ide/actions/fixed_form.h"
#include "ide/refactor/refactoring.h"
#include <algorithm>
#include <cctype>

namespace cufc {
namespace {

constexpr size_t margin = 6;

struct FreeLine {
  std::string code, comment;
  bool continues = false; // the one before goes on here
};

std::string withoutTrailing(std::string text) {
  text.erase(text.find_last_not_of(" \t\r") + 1);
  return text;
}

bool isDirectiveLine(std::string_view line) {
  if (line.size() < 5 || !isFixedComment(line) || line[1] != '$')
    return false;
  std::string word = lowerCase(line.substr(2, 3));
  return word == "omp" || word == "acc" || word == "cuf";
}

// Walks over the characters of statements, to find comments, strings and what is not supported.
class Walker {
public:
  char quote = 0; // open at the end of the last line
  bool hollerith = false;
  // Where a comment begins behind code, or the line's size.
  size_t commentIn(const std::string &text) {
    for (size_t i = 0; i < text.size(); ++i) {
      char c = text[i];
      if (quote)
        quote = c == quote ? char(0) : quote;
      else if (c == '\'' || c == '"')
        quote = c;
      else if (c == '!')
        return i;
      else if ((c == 'h' || c == 'H') && i > 0 &&
               std::isdigit(static_cast<unsigned char>(text[i - 1])))
        hollerith |= isCount(text, i);
    }
    return text.size();
  }

private:
  // "3Habc", and no name such as "x3h".
  static bool isCount(const std::string &text, size_t i) {
    size_t begin = i;
    while (begin > 0 && std::isdigit(static_cast<unsigned char>(text[begin - 1])))
      --begin;
    char before = begin > 0 ? text[begin - 1] : ' ';
    return !std::isalnum(static_cast<unsigned char>(before)) && before != '_' && before != '*';
  }
};

class FreeForm {
public:
  explicit FreeForm(const ActionContext &context)
      : document(context.document()), columns(static_cast<size_t>(context.file.reading.columns)) {}

  std::string refusal;
  std::string text() {
    for (int line = 1; line <= document.lineCount() && refusal.empty(); ++line)
      take(line);
    std::string result;
    for (size_t i = 0; i < lines.size(); ++i) {
      result += textOf(i);
      if (i + 1 < lines.size())
        result += "\n";
    }
    return result;
  }

private:
  void take(int number) {
    std::string line = withoutTrailing(std::string(document.line(number)));
    if (line.starts_with("#")) {
      lines.push_back({"", line});
      return;
    }
    std::string begin = lowerCase(trimmed(line));
    if (begin.starts_with("include ") || begin.starts_with("include'"))
      refusal = because(Refusal::Preprocessor, number);
    if (isDirectiveLine(line))
      return directive(line);
    if (line.empty() || isFixedComment(line)) {
      lines.push_back({"", line.empty() ? "" : "!" + line.substr(1)});
      return;
    }
    statement(line, number);
  }

  void directive(const std::string &line) {
    FreeLine made;
    made.continues = line.size() >= margin && line[margin - 1] != ' ' && line[margin - 1] != '0';
    made.code = "!" + line.substr(1, margin - 2) + (made.continues ? "&" : " ") +
                (line.size() > margin ? line.substr(margin) : "");
    lines.push_back(made);
    if (made.continues && hasCode)
      lines[lastCode].code += " &";
    lastCode = lines.size() - 1;
    hasCode = true;
  }

  // With a tab the statement begins behind it, and a digit there continues.
  static std::string expanded(const std::string &line) {
    size_t tab = line.substr(0, margin).find('\t');
    if (tab == std::string::npos)
      return line;
    std::string head = line.substr(0, tab), rest = line.substr(tab + 1);
    bool continues = !rest.empty() && rest[0] >= '1' && rest[0] <= '9';
    head.resize(margin - 1, ' ');
    return head + (continues ? "" : " ") + rest;
  }

  void statement(const std::string &given, int number) {
    std::string line = expanded(given);
    FreeLine made;
    made.continues = isFixedContinuation(line);
    Walker walker = made.continues ? before : Walker();
    walker.hollerith = false;
    if (made.continues && walker.quote)
      refusal = because(Refusal::SplitToken, number);
    std::string code = line.substr(0, std::min(line.size(), columns));
    size_t behind = std::min(code.size(), margin);
    size_t comment = walker.commentIn(code.substr(behind)) + behind;
    if (walker.hollerith)
      refusal = because(Refusal::Hollerith, number);
    made.code = withoutTrailing(code.substr(0, comment));
    if (comment < code.size())
      made.comment = line.substr(comment);
    else if (line.size() > columns)
      made.comment = "! " + trimmed(line.substr(columns));
    if (made.continues && made.code.size() >= margin)
      made.code[margin - 1] = ' ';
    if (trimmed(made.code).empty()) {
      lines.push_back({"", made.comment});
      return;
    }
    before = walker;
    if (made.continues && hasCode) {
      char left = lines[lastCode].code.back();
      size_t first = made.code.find_first_not_of(' ');
      bool joined = isWordPart(left) && isWordPart(made.code[first]) && first == margin &&
                    lines[lastCode].code.size() == columns;
      if (joined)
        refusal = because(Refusal::SplitToken, number);
      lines[lastCode].code += " &";
    }
    lines.push_back(made);
    lastCode = lines.size() - 1;
    hasCode = true;
  }

  static bool isWordPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

  std::string textOf(size_t i) const {
    const FreeLine &line = lines[i];
    if (line.code.empty())
      return line.comment;
    return line.code + (line.comment.empty() ? "" : " " + line.comment);
  }

  const Document &document;
  size_t columns;
  Walker before;
  std::vector<FreeLine> lines;
  size_t lastCode = 0;
  bool hasCode = false;
};

std::string freeFormName(const std::string &path) {
  size_t dot = path.rfind('.');
  bool capital = dot + 1 < path.size() && path[dot + 1] == 'F';
  return path.substr(0, dot) + (capital ? ".F90" : ".f90");
}

} // namespace

Refactored makeFixedToFree(const ActionContext &context, const RefactoringWish &) {
  if (!context.file.reading.fixedForm)
    return refused(Refusal::NotFixed);
  FreeForm form(context);
  std::string text = form.text();
  if (!form.refusal.empty())
    return refused("{}", form.refusal);
  for (std::string_view line : linesOf(text))
    if (line.size() > 132 && line[0] != '!')
      return refused(Refusal::TooLong);
  Refactored change;
  change.title = "turn the file into free form";
  change.edits[context.file.path] = {{context.document().all(), text}};
  change.renamed[context.file.path] = freeFormName(context.file.path);
  return change;
}

} // namespace cufc
