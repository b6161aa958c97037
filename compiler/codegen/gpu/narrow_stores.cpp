// See narrow_stores.h. LLVM writes one instruction a line, stores as
//   st.global.v2.b8 [%rd1+4], {%r1, %r2};
#include "codegen/gpu/narrow_stores.h"
#include <algorithm>
#include <string_view>

namespace cufc {
namespace {

bool isNarrowStore(std::string_view line) {
  size_t start = line.find_first_not_of(" \t");
  if (start == std::string_view::npos || !line.substr(start).starts_with("st."))
    return false;
  std::string_view instruction = line.substr(start, line.find_first_of(" \t", start) - start);
  return !instruction.starts_with("st.param") &&
         (instruction.ends_with(".b8") || instruction.ends_with(".b16"));
}

// The type for a conversion from the register, empty for those of 16 bits.
std::string_view wideType(std::string_view reg) {
  return reg.starts_with("%rd") ? "u64" : reg.starts_with("%rs") ? "" : "u32";
}

// The line, or a scope that declares registers, converts to them and stores them.
std::string repaired(std::string_view line) {
  size_t values = line.rfind(']');
  std::string conversions, store(line.substr(0, values));
  int count = 0;
  for (size_t at = values; at < line.size();) {
    size_t start = std::min(line.find('%', at), line.size());
    size_t end = std::min(line.find_first_of(",;} ", start), line.size());
    std::string reg(line.substr(start, end - start));
    store += line.substr(at, start - at);
    at = end;
    std::string_view type = wideType(reg);
    if (reg.empty() || type.empty()) {
      store += reg;
      continue;
    }
    std::string narrow = "%narrow" + std::to_string(count++);
    conversions.append("\t.reg .b16 \t").append(narrow).append(";\n\tcvt.u16.").append(type);
    conversions.append(" \t").append(narrow).append(", ").append(reg).append(";\n");
    store += narrow;
  }
  return count == 0 ? store : "\t{\n" + conversions + store + "\n\t}";
}

} // namespace

std::string repairNarrowStores(const std::string &ptx) {
  std::string result;
  result.reserve(ptx.size() + ptx.size() / 16);
  for (size_t begin = 0; begin < ptx.size();) {
    size_t end = std::min(ptx.find('\n', begin), ptx.size());
    std::string_view line = std::string_view(ptx).substr(begin, end - begin);
    if (isNarrowStore(line))
      result += repaired(line);
    else
      result += line;
    if (end < ptx.size())
      result += '\n';
    begin = end + 1;
  }
  return result;
}

} // namespace cufc
