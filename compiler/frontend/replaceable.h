// Messages of flang that a check of ours may give better: with names, at the exact place, with what
// would mend it. The checks decide; a message stands if none of them says the same. Private to
// frontend/ and checks/.
#ifndef CUFC_FRONTEND_REPLACEABLE_H
#define CUFC_FRONTEND_REPLACEABLE_H

#include "base/diagnostics.h"
#include <string>
#include <string_view>

namespace cufc {

struct Replaceable {
  Diagnostic diagnostic;  // as it is shown if it stands
  std::string text;       // flang's own
  std::string_view codes; // one of these replaces it: "CUF0201 CUF0213"
};

// The codes of checks that say better what a message of flang says; empty for most.
std::string_view betterCodes(const std::string &message);

} // namespace cufc
#endif // CUFC_FRONTEND_REPLACEABLE_H
