// The rows of tables/runs.def as names: RunsDiag::ProgramFailed.
#ifndef CUFC_BASE_RUNS_DIAG_H
#define CUFC_BASE_RUNS_DIAG_H

#include "base/diagnostics.h"

namespace cufc {

// NOLINTBEGIN(readability-identifier-naming): named like the rows
struct RunsDiag {
#define CUF_DIAGNOSTIC(name, code, severity, group, text, ...)                                     \
  static constexpr DiagnosticId<__VA_ARGS__> name{code};
#include "tables/runs.def"
#undef CUF_DIAGNOSTIC
};
// NOLINTEND(readability-identifier-naming)

} // namespace cufc
#endif // CUFC_BASE_RUNS_DIAG_H
