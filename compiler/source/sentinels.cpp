// One pass over the beginnings of lines; see sentinels.h.
#include "source/sentinels.h"
#include <algorithm>
#include <cctype>
#include <string>

namespace cufc {

namespace {

bool beginsWith(std::string_view text, std::string_view word) {
  return text.size() >= word.size() &&
         std::equal(word.begin(), word.end(), text.begin(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

} // namespace

bool hasSentinel(std::string_view line, bool fixedForm, std::string_view wanted) {
  size_t at = fixedForm ? 0 : line.find_first_not_of(" \t");
  if (at == std::string_view::npos || line.size() < at + 5)
    return false;
  char mark = line[at];
  return (mark == '!' || (fixedForm && (mark == 'c' || mark == 'C' || mark == '*'))) &&
         beginsWith(line.substr(at + 1), wanted);
}

void openSentinels(char *text, std::size_t size, bool fixedForm) {
  std::string_view all(text, size);
  for (size_t begin = 0; begin < size;) {
    size_t end = std::min(all.find('\n', begin), size);
    std::string_view line = all.substr(begin, end - begin);
    if (hasSentinel(line, fixedForm, "@cuf")) {
      std::fill_n(text + begin + line.find('@') - 1, 5, ' ');
    } else if (hasSentinel(line, fixedForm, "pgi$")) {
      size_t dollar = line.find('$'), word = line.find_first_not_of(" \t", dollar + 1);
      if (word != std::string_view::npos && beginsWith(line.substr(word), "ignore_tkr"))
        std::string_view("dir").copy(text + begin + dollar - 3, 3);
    }
    begin = end + 1;
  }
}

} // namespace cufc
