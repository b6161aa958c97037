// The mends of flang's defects: the rows of tables/workarounds.def, and which of them are made.
#ifndef CUFC_BASE_WORKAROUNDS_H
#define CUFC_BASE_WORKAROUNDS_H

#include <string>
#include <string_view>
#include <vector>

namespace cufc {

enum class Workaround {
#define CUF_WORKAROUND(id, ...) id,
#include "tables/workarounds.def"
};

struct WorkaroundRow {
  Workaround id;
  std::string_view name;    // as -mno-workaround= takes it
  std::string_view file;    // of the mend, in compiler/
  std::string_view symptom; // what flang does without it
  std::string_view flang;   // where, in flang's sources
};

const std::vector<WorkaroundRow> &workaroundRows();
const WorkaroundRow &rowOf(Workaround workaround);

// The names of all rows, with commas.
std::string workaroundNames();

// Whether a mend is made: all are but those that the last call of `leaveOutWorkarounds` has named,
// in a list with commas, of which unknown ones are ignored. This is one setting of the process,
// which makes one compilation, since functions that the linker puts in the place of flang's get no
// argument of ours, and passes run in threads of MLIR's.
bool isMade(Workaround workaround);
void leaveOutWorkarounds(const std::string &names);

} // namespace cufc
#endif // CUFC_BASE_WORKAROUNDS_H
