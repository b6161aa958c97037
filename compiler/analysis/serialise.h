// An Analysis as bytes, to be sent between processes and kept on disk.
//
// The form is compact and private to one version of the program: a mark, the version, a checksum of
// what follows, then the fields in order. Numbers take as few bytes as they need, lines of places
// are differences to the place before.
#ifndef CUFC_ANALYSIS_SERIALISE_H
#define CUFC_ANALYSIS_SERIALISE_H

#include "analysis/analysis.h"
#include <optional>
#include <string>
#include <string_view>

namespace cufc {

std::string toBytes(const Analysis &analysis);

// Nothing if the bytes are damaged or of another version.
std::optional<Analysis> fromBytes(std::string_view bytes);

} // namespace cufc
#endif // CUFC_ANALYSIS_SERIALISE_H
