// The rows of tables/command_line.def as names: CommandLineDiag::OptionNoted.
#ifndef CUFC_BASE_COMMAND_LINE_DIAG_H
#define CUFC_BASE_COMMAND_LINE_DIAG_H

#include "base/diagnostics.h"

namespace cufc {

// NOLINTBEGIN(readability-identifier-naming): named like the rows
struct CommandLineDiag {
#define CUF_DIAGNOSTIC(name, code, severity, group, text, ...)                                     \
  static constexpr DiagnosticId<__VA_ARGS__> name{code};
#include "tables/command_line.def"
#undef CUF_DIAGNOSTIC
};
// NOLINTEND(readability-identifier-naming)

} // namespace cufc
#endif // CUFC_BASE_COMMAND_LINE_DIAG_H
