// Warns of directives that are comments by a slip of the pen, and of statements of fixed form that
// go on behind the last column: both compile, and do something else than what stands there.
#include "source/unread_text.h"
#include "base/hazard.h"
#include "checks/check.h"

namespace cufc {
namespace {

// Of the mark of OpenMP nothing is said where OpenMP is off.
bool concerns(const FlangProgram &program, const UnreadText &found) {
  return found.wanted.find("omp") == std::string::npos ||
         program.options.features.IsEnabled(Fortran::common::LanguageFeature::OpenMP);
}

} // namespace

void checkUnreadText(CheckContext &context) {
  const FlangProgram &program = context.program;
  const bool fixed = program.options.isFixedForm;
  for (const UnreadText &found :
       unreadText(program.source, fixed, program.options.fixedFormColumns)) {
    if (!concerns(program, found))
      continue;
    SourceRange range{program.path, found.line, found.column, found.line,
                      found.column + static_cast<int>(found.text.size())};
    if (found.wanted.empty()) { // beside errors it may be one already
      if (program.rewrite.text.empty())
        context.report(Hazard::CutLine, range, program.options.fixedFormColumns,
                       std::string(found.text));
      continue;
    }
    std::string_view written = found.text.substr(found.text.find_first_not_of(" \t"));
    Diagnostic &diagnostic =
        written == found.wanted
            ? context.report(Hazard::IndentedDirective, range, found.wanted)
            : context.report(Hazard::NearDirective, range, std::string(written), found.wanted);
    diagnostic.fixes.push_back(Fix{"write '" + found.wanted + "'", {{range, found.wanted}}});
  }
}

} // namespace cufc
