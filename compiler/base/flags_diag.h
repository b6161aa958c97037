// The rows of tables/flags.def as names: FlagsDiag::FlagsMissing.
#ifndef CUFC_BASE_FLAGS_DIAG_H
#define CUFC_BASE_FLAGS_DIAG_H

#include "base/diagnostics.h"

namespace cufc {

// NOLINTBEGIN(readability-identifier-naming): named like the rows
struct FlagsDiag {
#define CUF_DIAGNOSTIC(name, code, severity, group, text, ...)                                     \
  static constexpr DiagnosticId<__VA_ARGS__> name{code};
#include "tables/flags.def"
#undef CUF_DIAGNOSTIC
};
// NOLINTEND(readability-identifier-naming)

} // namespace cufc
#endif // CUFC_BASE_FLAGS_DIAG_H
