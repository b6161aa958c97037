// Words for the kinds of an Analysis, as commands print them.
#ifndef CUFC_ANALYSIS_NAMES_H
#define CUFC_ANALYSIS_NAMES_H

#include "analysis/analysis.h"

namespace cufc {

inline const char *nameOf(SymbolKind kind) {
  static constexpr const char *names[] = {"program",    "module",       "submodule", "block data",
                                          "subroutine", "function",     "generic",   "variable",
                                          "constant",   "type",         "component", "binding",
                                          "namelist",   "common block", "construct", "label"};
  return names[static_cast<int>(kind)];
}

inline const char *nameOf(Role role) {
  static constexpr const char *names[] = {"declaration", "reference", "read",  "write",
                                          "readwrite",   "call",      "launch"};
  return names[static_cast<int>(role)];
}

} // namespace cufc
#endif // CUFC_ANALYSIS_NAMES_H
