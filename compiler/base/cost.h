// The rows of tables/occupancy.def as names: Cost::KernelSpills.
#ifndef CUFC_BASE_COST_H
#define CUFC_BASE_COST_H

#include "base/diagnostics.h"

namespace cufc {

// NOLINTBEGIN(readability-identifier-naming): named like the rows
struct Cost {
#define CUF_DIAGNOSTIC(name, code, severity, group, text, ...)                                     \
  static constexpr DiagnosticId<__VA_ARGS__> name{code};
#include "tables/occupancy.def"
#undef CUF_DIAGNOSTIC
};
// NOLINTEND(readability-identifier-naming)

} // namespace cufc
#endif // CUFC_BASE_COST_H
