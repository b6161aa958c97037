// See edits.h.
#include "frontend/edits.h"
#include "base/language_diag.h"
#include "frontend/messages.h"
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <tuple>

namespace cufc {
namespace {

// Prescanned text is in lower case but for character literals.
std::string lowerCase(std::string text) {
  char quote = 0;
  for (char &c : text)
    if (quote != 0)
      quote = c == quote ? '\0' : quote;
    else if (c == '\'' || c == '"')
      quote = c;
    else
      c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

} // namespace

bool EditList::mayEdit(CharBlock construct) {
  Fortran::parser::CharBlock text = program.parsing->cooked().AsCharBlock();
  const int refused = refusedEdit(program);
  if (++wanted != refused && refused != everyEdit && !construct.empty() && text.Contains(construct))
    return true;
  refuse(construct, construct.ToString());
  return false;
}

void EditList::refuse(CharBlock construct, const std::string &name) {
  diagnostics.report(LanguageDiag::EditRefused, rangeOf(program, construct), name);
}

void EditList::add(const char *place, std::string text) {
  const char *begin = program.parsing->cooked().AsCharBlock().begin();
  auto line = static_cast<int>(std::count(begin, place, '\n')) + 1;
  const char *lineBegin = place;
  while (lineBegin > begin && lineBegin[-1] != '\n')
    --lineBegin;
  edits.push_back({line, static_cast<int>(place - lineBegin) + 1, lowerCase(std::move(text))});
}

bool EditList::before(CharBlock construct, std::string text) {
  return inside(construct, construct.begin(), std::move(text));
}

bool EditList::behind(CharBlock construct, std::string text) {
  return inside(construct, construct.end(), std::move(text));
}

bool EditList::inside(CharBlock construct, const char *place, std::string text) {
  if (!mayEdit(construct))
    return false;
  add(place, std::move(text));
  return true;
}

bool EditList::around(CharBlock construct, std::string opening, std::string closing) {
  if (!mayEdit(construct))
    return false;
  add(construct.begin(), std::move(opening));
  add(construct.end(), std::move(closing));
  return true;
}

std::vector<Edit> EditList::take() {
  std::sort(edits.begin(), edits.end(), [](const Edit &a, const Edit &b) {
    return std::tie(a.line, a.column, a.text) < std::tie(b.line, b.column, b.text);
  });
  return std::move(edits);
}

int refusedEdit(const FlangProgram &program) {
  for (const auto &[macro, value] : program.options.predefinitions)
    if (macro == "__cufc_refuse_edit__" && value)
      return *value == "all"       ? everyEdit
             : *value == "dialect" ? everyDialectEdit
                                   : std::atoi(value->c_str());
  return noEdit;
}

int originalColumn(const FlangProgram &program, const std::string &path, int line, int column) {
  return userPath(program, path) == program.path ? program.rewrite.originalColumn(line, column)
                                                 : column;
}

void cutLines(std::string &text, size_t columns) {
  std::string result;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    result.append(text, begin, std::min(end - begin, columns)).append("\n");
    begin = end + 1;
  }
  text = std::move(result);
}

} // namespace cufc
