// See shell_quote.h.
#include "base/shell_quote.h"

namespace cufc {

std::string quotedForShell(const std::string &text) {
  std::string result = "'";
  for (char c : text)
    result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

} // namespace cufc
