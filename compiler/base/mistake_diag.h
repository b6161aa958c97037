// The rows of tables/mistakes.def as names: MistakeDiag::MissingCall.
#ifndef CUFC_BASE_MISTAKE_DIAG_H
#define CUFC_BASE_MISTAKE_DIAG_H

#include "base/diagnostics.h"

namespace cufc {

// NOLINTBEGIN(readability-identifier-naming): named like the rows
struct MistakeDiag {
#define CUF_DIAGNOSTIC(name, code, severity, group, text, ...)                                     \
  static constexpr DiagnosticId<__VA_ARGS__> name{code};
#include "tables/mistakes.def"
#undef CUF_DIAGNOSTIC
};
// NOLINTEND(readability-identifier-naming)

} // namespace cufc
#endif // CUFC_BASE_MISTAKE_DIAG_H
