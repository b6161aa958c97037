// Each line is looked at alone.
#include "source/form_signs.h"
#include "base/source_text.h"
#include <cctype>

namespace cufc {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t'; }

bool isFixedComment(std::string_view line) {
  char first = static_cast<char>(std::tolower(static_cast<unsigned char>(line[0])));
  if (first == '*')
    return true;
  // A word that begins with c is none.
  return first == 'c' && (line.size() == 1 || isBlank(line[1]) || line[1] == '-' ||
                          line[1] == '*' || line[1] == '=' || line[1] == '$');
}

bool isContinuation(std::string_view line) {
  return line.size() > 6 && line.substr(0, 5) == "     " && !isBlank(line[5]) && line[5] != '0' &&
         line[5] != '!' && !std::isalpha(static_cast<unsigned char>(line[5]));
}

// Letters in columns 1 to 6: no label, no comment.
bool beginsEarly(std::string_view line) {
  size_t begin = line.find_first_not_of(" \t0123456789");
  return begin != std::string_view::npos && begin < 5 &&
         line.find('\t') == std::string_view::npos &&
         std::isalpha(static_cast<unsigned char>(line[begin]));
}

} // namespace

FormSigns formSigns(std::string_view text) {
  FormSigns signs;
  int number = 0;
  for (std::string_view line : linesOf(text)) {
    ++number;
    bool empty = line.find_first_not_of(" \t\r") == std::string_view::npos;
    if (empty || line[0] == '!' || line[0] == '#')
      continue;
    if (isFixedComment(line) || isContinuation(line)) {
      signs.fixedOnly += 1;
      signs.firstFixed = signs.firstFixed ? signs.firstFixed : number;
    } else if (beginsEarly(line)) {
      signs.freeOnly += 1;
      signs.firstFree = signs.firstFree ? signs.firstFree : number;
    }
  }
  return signs;
}

} // namespace cufc
