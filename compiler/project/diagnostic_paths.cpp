// See diagnostic_paths.h.
#include "project/diagnostic_paths.h"
#include "project/project.h"

namespace cufc {

void completePaths(Diagnostic &diagnostic, const std::string &directory) {
  auto complete = [&](SourceRange &range) {
    if (!range.file.empty())
      range.file = absolutePath(range.file, directory);
  };
  complete(diagnostic.range);
  for (Diagnostic &related : diagnostic.related)
    completePaths(related, directory);
  for (Fix &fix : diagnostic.fixes)
    for (TextEdit &edit : fix.edits)
      complete(edit.range);
}

} // namespace cufc
