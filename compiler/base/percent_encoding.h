// Paths in URIs (RFC 3986, 2.1): bytes, whatever their encoding.
#ifndef CUFC_BASE_PERCENT_ENCODING_H
#define CUFC_BASE_PERCENT_ENCODING_H

#include <string>
#include <string_view>

namespace cufc {

// All but unreserved characters and slashes as %XX.
std::string percentEncoded(std::string_view path);
// What is no %XX stays as it is.
std::string percentDecoded(std::string_view text);

} // namespace cufc
#endif // CUFC_BASE_PERCENT_ENCODING_H
