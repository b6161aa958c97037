// SELECTED_INT_KIND and SELECTED_REAL_KIND of values that only the program knows. The kinds are
// those of the host, as they are where the compiler knows the values.
#include "arrays.h"

// Whether the host has REAL(10), as x86-64 has; codegen/device_runtime.cpp says otherwise.
extern "C" __attribute__((weak)) const bool cufc_has_extended_reals = true;

namespace {

// An argument that is absent is 0.
long long valueOf(const void *value, int kind) {
  if (!value)
    return 0;
  switch (kind) {
  case 1:
    return *static_cast<const int8_t *>(value);
  case 2:
    return *static_cast<const int16_t *>(value);
  case 4:
    return *static_cast<const int32_t *>(value);
  default: // of 16 bytes the lower ones
    return *static_cast<const int64_t *>(value);
  }
}

} // namespace

CUFC_ENTRY int32_t _FortranASelectedIntKind(const char *, int, void *range, int kind) {
  static constexpr struct {
    int kind, digits;
  } kinds[] = {{1, 2}, {2, 4}, {4, 9}, {8, 18}, {16, 38}};
  long long wanted = valueOf(range, kind);
  for (const auto &each : kinds)
    if (wanted <= each.digits)
      return each.kind;
  return -1;
}

// -1 says that no kind has the precision, -2 the range, -3 neither, -4 both together, -5 the radix.
CUFC_ENTRY int32_t _FortranASelectedRealKind(const char *, int, void *precision, int precisionKind,
                                             void *range, int rangeKind, void *radix,
                                             int radixKind) {
  static constexpr struct {
    int kind, precision, range;
  } kinds[] = {{2, 3, 4}, {3, 2, 37}, {4, 6, 37}, {8, 15, 307}, {10, 18, 4931}, {16, 33, 4931}};
  long long digits = valueOf(precision, precisionKind), exponents = valueOf(range, rangeKind);
  if (radix && valueOf(radix, radixKind) != 2)
    return -5;
  bool hasDigits = false, hasRange = false;
  for (const auto &each : kinds) {
    if (each.kind == 10 && !cufc_has_extended_reals)
      continue;
    bool precise = digits <= each.precision, wide = exponents <= each.range;
    if (precise && wide)
      return each.kind;
    hasDigits |= precise;
    hasRange |= wide;
  }
  return hasDigits && hasRange ? -4 : (hasDigits ? 0 : -1) + (hasRange ? 0 : -2);
}
