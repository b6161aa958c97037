// See dependency_file.h.
#include "project/dependency_file.h"
#include <algorithm>

namespace cufc {

std::vector<std::string> namesInRule(std::string_view text) {
  constexpr std::string_view lineEnd = "$(\\n)";
  std::vector<std::string> names;
  std::string name;
  bool inNames = false;
  for (size_t at = 0; at <= text.size();) {
    std::string_view rest = text.substr(at);
    const size_t backslashes = std::min(rest.find_first_not_of('\\'), rest.size());
    const char next = backslashes < rest.size() ? rest[backslashes] : '\n';
    if (backslashes > 0 &&
        (next == ' ' || next == '\t' || next == '#')) { // half of them escape the others
      name += std::string(backslashes / 2, '\\');
      if (backslashes % 2 != 0)
        name += next;
      at += backslashes + backslashes % 2;
    } else if (backslashes > 0 && next == ':') {
      name += std::string(backslashes - 1, '\\') + ':';
      at += backslashes + 1;
    } else if (backslashes > (next == '\n' ? 1 : 0)) {
      name += std::string(backslashes - (next == '\n' ? 1 : 0), '\\');
      at += backslashes - (next == '\n' ? 1 : 0);
    } else if (rest.starts_with("$$") || rest.starts_with(lineEnd)) {
      name += rest[1] == '$' ? '$' : '\n';
      at += rest[1] == '$' ? 2 : lineEnd.size();
    } else if (rest.empty() || rest[0] == ' ' || rest[0] == '\n' || rest[0] == '\\') {
      if (!name.empty() && inNames)
        names.push_back(name);
      name.clear();
      at += std::max<size_t>(1, backslashes);
    } else if (rest[0] == ':' && !inNames) {
      name.clear();
      inNames = true;
      ++at;
    } else {
      name += rest[0];
      ++at;
    }
  }
  return names;
}

} // namespace cufc
