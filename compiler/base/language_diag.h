// The rows of tables/language.def as names: LanguageDiag::RenameHides.
#ifndef CUFC_BASE_LANGUAGE_DIAG_H
#define CUFC_BASE_LANGUAGE_DIAG_H

#include "base/diagnostics.h"

namespace cufc {

// NOLINTBEGIN(readability-identifier-naming): named like the rows
struct LanguageDiag {
#define CUF_DIAGNOSTIC(name, code, severity, group, text, ...)                                     \
  static constexpr DiagnosticId<__VA_ARGS__> name{code};
#include "tables/language.def"
#undef CUF_DIAGNOSTIC
};
// NOLINTEND(readability-identifier-naming)

} // namespace cufc
#endif // CUFC_BASE_LANGUAGE_DIAG_H
