// The table is sorted by the names in lower case.
#include "source/api_names.h"
#include "base/source_text.h"
#include <algorithm>

namespace cufc {
namespace {

constexpr ApiName names[] = {
#include "tables/api_names.inc"
};

} // namespace

const ApiName *findApiName(std::string_view name) {
  std::string wanted = lowerCase(name);
  const auto *found = std::lower_bound(
      std::begin(names), std::end(names), wanted,
      [](const ApiName &row, const std::string &word) { return lowerCase(row.name) < word; });
  return found != std::end(names) && lowerCase(found->name) == wanted ? found : nullptr;
}

const ApiName *nearestDeviceProcedure(std::string_view name) {
  const ApiName *best = nullptr;
  size_t bestDistance = std::max<size_t>(1, name.size() / 4) + 1;
  for (const ApiName &row : names)
    if (!row.kind.empty() && (row.module == "cudadevice" || row.module == "intrinsic"))
      if (size_t distance = editDistance(name, row.name);
          distance < bestDistance && distance < name.size()) {
        bestDistance = distance;
        best = &row;
      }
  return best;
}

} // namespace cufc
