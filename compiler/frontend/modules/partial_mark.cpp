// See partial_mark.h. A module file has one statement a line: the module's, USE statements, and
// then declarations.
#include "frontend/modules/partial_mark.h"
#include <algorithm>

namespace cufc {

std::string markedPartial(std::string_view moduleFile) {
  std::string result;
  bool inUses = false, marked = false;
  while (!moduleFile.empty()) {
    std::string_view line = moduleFile.substr(0, moduleFile.find('\n'));
    moduleFile.remove_prefix(std::min(line.size() + 1, moduleFile.size()));
    bool isUse = line.starts_with("use ") || line.starts_with("use,");
    if (inUses && !isUse && !marked) {
      result.append("integer(4),parameter,private::").append(partialMark).append("=1_4\n");
      marked = true;
    }
    inUses = inUses || line.starts_with("module ");
    result.append(line).append("\n");
  }
  return result;
}

} // namespace cufc
