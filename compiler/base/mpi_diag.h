// The rows of tables/mpi.def as names: MpiDiag::MpiNotFound.
#ifndef CUFC_BASE_MPI_DIAG_H
#define CUFC_BASE_MPI_DIAG_H

#include "base/diagnostics.h"

namespace cufc {

// NOLINTBEGIN(readability-identifier-naming): named like the rows
struct MpiDiag {
#define CUF_DIAGNOSTIC(name, code, severity, group, text, ...)                                     \
  static constexpr DiagnosticId<__VA_ARGS__> name{code};
#include "tables/mpi.def"
#undef CUF_DIAGNOSTIC
};
// NOLINTEND(readability-identifier-naming)

} // namespace cufc
#endif // CUFC_BASE_MPI_DIAG_H
