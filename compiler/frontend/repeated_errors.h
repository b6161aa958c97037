// Errors that say again what another one says.
#ifndef CUFC_FRONTEND_REPEATED_ERRORS_H
#define CUFC_FRONTEND_REPEATED_ERRORS_H

#include "base/diagnostics.h"
#include "base/source_text.h"
#include <algorithm>
#include <set>
#include <tuple>

namespace cufc {

// Several errors of one mistake become the same message.
inline void dropSame(std::vector<Diagnostic> &list) {
  std::set<std::tuple<std::string, int, int, std::string>> seen;
  auto again = [&](const Diagnostic &d) {
    return !seen.insert({d.range.file, d.range.line, d.range.column, d.code + d.message}).second;
  };
  list.erase(std::remove_if(list.begin(), list.end(), again), list.end());
}

// The names of arrays that should have been allocatable: that they are allocated follows.
inline std::set<std::string> arraysWithoutExtents(const std::vector<Diagnostic> &list) {
  std::set<std::string> names;
  for (const Diagnostic &d : list)
    if (size_t end = d.message.find("' needs its extents");
        d.code == "CUF1219" && end != std::string::npos)
      names.insert(lowerCase(d.message.substr(1, end - 1)));
  return names;
}

} // namespace cufc
#endif // CUFC_FRONTEND_REPEATED_ERRORS_H
