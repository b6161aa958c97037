// See component_attributes.h. flang writes one component in a line, its attribute in the next one
// (PutObjectEntity in flang's lib/Semantics/mod-file.cpp).
#include "frontend/workarounds/component_attributes.h"
#include <algorithm>

namespace cufc {
namespace {

constexpr std::string_view attributes = "attributes(";

// Where "::" ends the attributes of a declaration; npos if it has none.
size_t endOfAttributes(std::string_view line) {
  int depth = 0;
  for (size_t i = 0; i + 1 < line.size() && line[i] != '\'' && line[i] != '"'; ++i) {
    depth += line[i] == '(' ? 1 : line[i] == ')' ? -1 : 0;
    if (depth == 0 && line[i] == ':' && line[i + 1] == ':')
      return i;
  }
  return line.npos;
}

// Whether the line opens a type definition: "type::name", "type,abstract::name".
bool opensType(std::string_view line) {
  return line.starts_with("type::") || line.starts_with("type,");
}

bool declares(std::string_view line, size_t colons, std::string_view name) {
  std::string_view entity = line.substr(colons + 2);
  return entity.starts_with(name) &&
         (entity.size() == name.size() ||
          std::string_view("([*=,").find(entity[name.size()]) != entity.npos);
}

} // namespace

std::string withComponentAttributes(std::string_view body) {
  if (body.find(attributes) == body.npos)
    return std::string(body);
  std::string result;
  size_t last = 0; // where the last line of the result begins
  bool inType = false;
  while (!body.empty()) {
    std::string_view line = body.substr(0, body.find('\n'));
    body.remove_prefix(std::min(line.size() + 1, body.size()));
    size_t close = line.starts_with(attributes) ? line.find(") ") : line.npos;
    std::string_view before = std::string_view(result).substr(last);
    size_t colons = inType && close != line.npos ? endOfAttributes(before) : before.npos;
    std::string_view name = colons != before.npos ? line.substr(close + 2) : std::string_view();
    if (!name.empty() && declares(before.substr(0, before.size() - 1), colons, name)) {
      std::string_view attribute = line.substr(attributes.size(), close - attributes.size());
      result.insert(last + colons, "," + std::string(attribute));
      continue;
    }
    inType = opensType(line) || (inType && line != "end type");
    last = result.size();
    result.append(line).append("\n");
  }
  return result;
}

} // namespace cufc
