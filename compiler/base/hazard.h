// The rows of tables/hazards.def as names: Hazard::DivergentBarrier.
#ifndef CUFC_BASE_HAZARD_H
#define CUFC_BASE_HAZARD_H

#include "base/diagnostics.h"

namespace cufc {

// NOLINTBEGIN(readability-identifier-naming): named like the rows
struct Hazard {
#define CUF_DIAGNOSTIC(name, code, severity, group, text, ...)                                     \
  static constexpr DiagnosticId<__VA_ARGS__> name{code};
#include "tables/hazards.def"
#undef CUF_DIAGNOSTIC
};
// NOLINTEND(readability-identifier-naming)

} // namespace cufc
#endif // CUFC_BASE_HAZARD_H
