// See edits.h.
#include "frontend/edits.h"
#include "frontend/included_edits.h"
#include <filesystem>

namespace cufc {

std::optional<Edit> insertion(const FlangProgram &program, const std::string &path,
                              const char *place, int offset, std::string text) {
  auto range = program.cooked.GetProvenanceRange(Fortran::parser::CharBlock(place, 1));
  auto position = range ? program.sources.GetSourcePosition(range->start()) : std::nullopt;
  std::error_code ignored;
  if (!position || !std::filesystem::equivalent(*position->path, path, ignored))
    return std::nullopt;
  int column = originalColumn(program, *position->path, position->line, position->column);
  return Edit{position->line, column + offset, std::move(text)};
}

} // namespace cufc
