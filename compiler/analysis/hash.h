// A checksum for content that is kept: FNV-1a with 64 bits.
#ifndef CUFC_ANALYSIS_HASH_H
#define CUFC_ANALYSIS_HASH_H

#include <cstdint>
#include <string_view>

namespace cufc {

inline std::uint64_t hashOf(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (char c : bytes)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

} // namespace cufc
#endif // CUFC_ANALYSIS_HASH_H
