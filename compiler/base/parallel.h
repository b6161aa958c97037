// The rows of tables/parallel.def as names: Parallel::PrivateDeviceData.
#ifndef CUFC_BASE_PARALLEL_H
#define CUFC_BASE_PARALLEL_H

#include "base/diagnostics.h"

namespace cufc {

// NOLINTBEGIN(readability-identifier-naming): named like the rows
struct Parallel {
#define CUF_DIAGNOSTIC(name, code, severity, group, text, ...)                                     \
  static constexpr DiagnosticId<__VA_ARGS__> name{code};
#include "tables/parallel.def"
#undef CUF_DIAGNOSTIC
};
// NOLINTEND(readability-identifier-naming)

} // namespace cufc
#endif // CUFC_BASE_PARALLEL_H
