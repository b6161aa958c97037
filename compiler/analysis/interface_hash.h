// What the hash of a module's interface says beside its identity. It is 0 if errors keep the module
// from being made, and odd if they only keep declarations out of it.
#ifndef CUFC_ANALYSIS_INTERFACE_HASH_H
#define CUFC_ANALYSIS_INTERFACE_HASH_H

#include <cstdint>

namespace cufc {

constexpr std::uint64_t interfaceHash(std::uint64_t ofText, bool lacksDeclarations) {
  constexpr std::uint64_t two = 2;
  std::uint64_t even = ofText / two * two;
  return (even == 0 ? two : even) + (lacksDeclarations ? 1 : 0);
}

constexpr bool lacksDeclarations(std::uint64_t hash) { return hash % 2 != 0; }

} // namespace cufc
#endif // CUFC_ANALYSIS_INTERFACE_HASH_H
