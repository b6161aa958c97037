// See type_parameters.h.
//
//   type vector(length)                  type vector(length);integer,len::length
//     real :: x(length)            =>      real :: x(length)
//     integer, len :: length               !integer, len :: length
//
// What is read are the prescanned characters: a statement in lower case ends with its line there.
#include "frontend/type_parameters.h"
#include "flang/Parser/parsing.h"
#include "frontend/edits.h"
#include <algorithm>
#include <tuple>

namespace cufc {
namespace {

using namespace Fortran;

std::string withoutBlanks(parser::CharBlock statement) {
  std::string text = statement.ToString();
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

bool beginsWith(const std::string &text, std::string_view word) { return text.rfind(word, 0) == 0; }

// type vector(length), and nothing like type(vector) :: x.
bool opensParameterizedType(const std::string &text) {
  return beginsWith(text, "type") && text.size() > 5 && text[4] != '(' && text.back() == ')' &&
         !beginsWith(text, "typeis(") && text.find('=') == std::string::npos;
}

// integer(8), len :: n
bool declaresParameters(const std::string &text) {
  size_t mark = text.find("::");
  if (!beginsWith(text, "integer") || mark == std::string::npos)
    return false;
  std::string_view before = std::string_view(text).substr(0, mark);
  return before.size() > 5 && (before.substr(before.size() - 5) == ",kind" ||
                               before.substr(before.size() - 4) == ",len");
}

class Scan {
public:
  Scan(const FlangProgram &program, const std::string &path) : program(program), path(path) {}

  void take(parser::CharBlock statement) {
    std::string text = withoutBlanks(statement);
    if (opensParameterizedType(text)) {
      type = statement;
      isBehind = false;
    } else if (beginsWith(text, "endtype")) {
      type = {};
    } else if (!type.empty() && !text.empty()) {
      if (!declaresParameters(text))
        isBehind = true;
      else if (isBehind)
        move(statement);
    }
  }

  std::vector<Edit> edits;

private:
  std::optional<Edit> at(const char *place, int offset, std::string text) {
    return insertion(program, path, place, offset, std::move(text));
  }

  void move(parser::CharBlock statement) {
    auto declaration = at(type.end() - 1, 1, ";" + statement.ToString());
    auto comment = at(statement.begin(), 0, "!");
    auto last = at(statement.end() - 1, 0, "");
    if (!declaration || !comment || !last || last->line != comment->line)
      return;
    edits.push_back(std::move(*declaration));
    edits.push_back(std::move(*comment));
  }

  const FlangProgram &program;
  const std::string &path;
  parser::CharBlock type; // the TYPE statement that is open
  bool isBehind = false;  // something that must come later has been there
};

parser::CharBlock trimmed(const char *begin, const char *end) {
  while (begin < end && *begin == ' ')
    ++begin;
  while (begin < end && end[-1] == ' ')
    --end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

} // namespace

std::vector<Edit> typeParametersFirst(const FlangProgram &program, const std::string &path) {
  parser::CharBlock all = program.parsing->cooked().AsCharBlock();
  Scan scan(program, path);
  for (const char *begin = all.begin(); begin < all.end();) {
    const char *end = std::find(begin, all.end(), '\n');
    scan.take(trimmed(begin, end));
    begin = end + (end < all.end());
  }
  std::sort(scan.edits.begin(), scan.edits.end(), [](const Edit &a, const Edit &b) {
    return std::tie(a.line, a.column, a.text) < std::tie(b.line, b.column, b.text);
  });
  return std::move(scan.edits);
}

} // namespace cufc
