// One pass over the beginnings of lines.
#include "source/conditional_lines.h"
#include <algorithm>
#include <cctype>
#include <string_view>

namespace cufc {
namespace {

// Where a comment begins that can be a sentinel, or npos.
size_t commentMark(std::string_view line, bool fixedForm) {
  size_t at = fixedForm ? 0 : line.find_first_not_of(" \t");
  if (at == std::string_view::npos || at >= line.size())
    return std::string_view::npos;
  bool isMark =
      line[at] == '!' || (fixedForm && (line[at] == 'c' || line[at] == 'C' || line[at] == '*'));
  return isMark ? at : std::string_view::npos;
}

bool hasOpenacc(std::string_view rest) {
  constexpr std::string_view sentinel = "@acc";
  return rest.size() > sentinel.size() && std::isspace(static_cast<unsigned char>(rest[4])) &&
         std::equal(sentinel.begin(), sentinel.end(), rest.begin(),
                    [](char a, char b) { return a == std::tolower(b); });
}

// OpenMP 5.1, 2.2: in fixed form the columns up to the sixth are those of a label or a
// continuation.
bool hasOpenmp(std::string_view rest, bool fixedForm) {
  if (rest.size() < 2 || rest[0] != '$')
    return false;
  std::string_view next = rest.substr(1, fixedForm ? 3 : 1);
  return next.find_first_not_of(fixedForm ? " \t0123456789" : " \t&") == std::string_view::npos;
}

} // namespace

bool openConditionalLines(std::string &text, bool fixedForm, ConditionalLines wanted) {
  bool found = false;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (size_t at = commentMark(line, fixedForm); at != std::string_view::npos) {
      std::string_view rest = line.substr(at + 1);
      size_t length = wanted.openacc && hasOpenacc(rest)            ? 5
                      : wanted.openmp && hasOpenmp(rest, fixedForm) ? 2
                                                                    : 0;
      text.replace(begin + at, length, length, ' ');
      found |= length > 0;
    }
    begin = end + 1;
  }
  return found;
}

} // namespace cufc
