// See included_text.h.
#include "source/included_text.h"
#include "base/source_text.h"
#include "source/blocks.h"
#include "source/source_form.h"

namespace cufc {

bool isIncludedText(const std::string &path, const std::string &text) {
  if (sourceForm(path))
    return false;
  for (std::string_view line : linesOf(text)) {
    std::string code = lowerCase(line);
    size_t begin = code.find_first_not_of(" \t\r");
    bool comment =
        begin != std::string::npos && (code[begin] == '!' || code[begin] == '#' ||
                                       (begin == 0 && (code[0] == '*' || code.starts_with("c "))));
    if (begin == std::string::npos || comment)
      continue;
    StatementRole role = roleOf(code.substr(begin), false);
    return role.kind != StatementRole::Opens || !isUnit(role.block);
  }
  return true;
}

} // namespace cufc
