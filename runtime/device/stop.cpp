// STOP and ERROR STOP: they end the kernel with an error. A trap is all that a thread can do to the
// others; the program learns of it at its next synchronisation.
#include "arrays.h"

CUFC_ENTRY [[noreturn]] void _FortranAStopStatement(int, bool, bool) { __builtin_trap(); }

CUFC_ENTRY [[noreturn]] void _FortranAStopStatementText(const char *, size_t, bool, bool) {
  __builtin_trap();
}
