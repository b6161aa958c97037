// See removed_routines.h; the facts are in tables/removed_routines.def.
#include "base/removed_routines.h"
#include <algorithm>
#include <fmt/format.h>

namespace cufc {
namespace {

struct Row {
  std::string_view module, names, instead;
  bool isRemoved; // or missing
};

constexpr Row rows[] = {
#define CUF_REMOVED_NAMES(module, names, instead) {module, names, instead, true},
#define CUF_MISSING_NAMES(module, names, library) {module, names, library, false},
#define CUF_REMOVED_TEXT(name, format)
#include "tables/removed_routines.def"
#undef CUF_REMOVED_NAMES
#undef CUF_MISSING_NAMES
#undef CUF_REMOVED_TEXT
};

#define CUF_REMOVED_NAMES(module, names, instead)
#define CUF_MISSING_NAMES(module, names, library)
#define CUF_REMOVED_TEXT(name, format) constexpr const char *name = format;
#include "tables/removed_routines.def"
#undef CUF_REMOVED_NAMES
#undef CUF_MISSING_NAMES
#undef CUF_REMOVED_TEXT

// ? is one letter, * at the end any ending.
bool matches(std::string_view pattern, std::string_view name) {
  bool anyEnding = !pattern.empty() && pattern.back() == '*';
  if (anyEnding)
    pattern.remove_suffix(1);
  if (anyEnding ? name.size() < pattern.size() : name.size() != pattern.size())
    return false;
  return std::equal(pattern.begin(), pattern.end(), name.begin(),
                    [](char wanted, char given) { return wanted == '?' || wanted == given; });
}

bool listHas(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    std::string_view pattern = list.substr(0, list.find(' '));
    list.remove_prefix(std::min(list.size(), pattern.size() + 1));
    if (matches(pattern, name))
      return true;
  }
  return false;
}

} // namespace

RemovedName removedName(std::string_view name) {
  if (!name.starts_with("cu") && !name.starts_with("nccl"))
    return {};
  for (const Row &row : rows)
    if (listHas(row.names, name))
      return {row.module,
              fmt::format(fmt::runtime(row.isRemoved ? useInstead : bindIt), row.instead)};
  return {};
}

} // namespace cufc
