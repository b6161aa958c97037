// An edit that is confined to one procedure, and the small text whose analysis answers for it.
#ifndef CUFC_SERVICE_PART_H
#define CUFC_SERVICE_PART_H

#include "analysis/merge.h"
#include "source/program_units.h"

namespace cufc {

// How a text is read.
struct TextForm {
  bool fixedForm = false;
  int fixedColumns = 72;
};

struct Part {
  std::string text; // the procedure at its lines of the new text, and what must stand around it
  ReplacedLines lines;
  size_t unit = 0; // the procedure's
};

// `units` are those of `before`. Nothing if more than one unit has changed, or the first or last
// statement of one, or if it cannot be analysed apart: what belongs to a submodule, or to a module
// whose file has preprocessor conditions.
std::optional<Part> changedPart(const std::string &before, const std::vector<ProgramUnit> &units,
                                const std::string &after, const TextForm &form);

} // namespace cufc
#endif // CUFC_SERVICE_PART_H
