// See workarounds.h.
#include "base/workarounds.h"
#include "base/option_table.h"
#include <algorithm>
#include <bitset>

namespace cufc {
namespace {

constexpr size_t count = 0
#define CUF_WORKAROUND(...) +1
#include "tables/workarounds.def"
    ;

std::bitset<count> leftOut;

} // namespace

const std::vector<WorkaroundRow> &workaroundRows() {
  static const std::vector<WorkaroundRow> rows = {
#define CUF_WORKAROUND(id, name, file, symptom, flang) {Workaround::id, name, file, symptom, flang},
#include "tables/workarounds.def"
  };
  return rows;
}

const WorkaroundRow &rowOf(Workaround workaround) {
  return workaroundRows()[static_cast<size_t>(workaround)];
}

std::string workaroundNames() {
  std::string names;
  for (const WorkaroundRow &row : workaroundRows())
    names.append(names.empty() ? "" : ", ").append(row.name);
  return names;
}

bool isMade(Workaround workaround) { return !leftOut[static_cast<size_t>(workaround)]; }

void leaveOutWorkarounds(const std::string &list) {
  const std::vector<std::string> names = splitAtCommas(list);
  leftOut.reset();
  for (const WorkaroundRow &row : workaroundRows())
    if (std::find(names.begin(), names.end(), row.name) != names.end())
      leftOut.set(static_cast<size_t>(row.id));
}

} // namespace cufc
