// The compiler calls the functions at the end by their names in GCC's and LLVM's libraries. They
// are weak, so that those libraries' own may be there too.
#include "core/half_precision.h"
#include <cstring>

namespace cufrt {
namespace {

template <typename To, typename From>
To bitsAs(From value) {
  static_assert(sizeof(To) == sizeof(From));
  To result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

} // namespace

uint16_t halfOf(double value) {
  const auto bits = bitsAs<uint64_t>(value);
  const auto sign = static_cast<uint16_t>(bits >> 48 & 0x8000U);
  const uint64_t magnitude = bits & ~(uint64_t(1) << 63);
  constexpr uint64_t infinity = uint64_t(0x7ff) << 52;
  if (magnitude > infinity) // not a number: quiet, with the first bits of its payload
    return static_cast<uint16_t>(sign | 0x7e00U | (magnitude >> 42 & 0x1ffU));
  const int exponent = static_cast<int>(magnitude >> 52) - 1023;
  if (exponent > 15)
    return sign | 0x7c00U;
  if (exponent < -25)
    return sign;
  const uint64_t fraction = (magnitude & ((uint64_t(1) << 52) - 1)) | uint64_t(1) << 52;
  const bool normal = exponent >= -14;
  const int dropped = normal ? 42 : 42 + (-14 - exponent); // bits of the fraction
  uint64_t kept = fraction >> dropped;
  const uint64_t rest = fraction & ((uint64_t(1) << dropped) - 1);
  const uint64_t tie = uint64_t(1) << (dropped - 1);
  if (rest > tie || (rest == tie && (kept & 1U) != 0))
    ++kept;
  // The leading bit of a normal number's fraction adds one to the exponent, as does a carry.
  return static_cast<uint16_t>(sign + kept +
                               (normal ? static_cast<uint64_t>(exponent + 14) << 10 : 0));
}

float floatOf(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000U) << 16;
  const uint32_t exponent = half >> 10 & 0x1fU, fraction = half & 0x3ffU;
  if (exponent == 0) {
    const float value = static_cast<float>(fraction) * 0x1p-24F;
    return bitsAs<float>(bitsAs<uint32_t>(value) | sign);
  }
  if (exponent == 0x1f)
    return bitsAs<float>(sign | 0x7f800000U | fraction << 13 | (fraction != 0 ? 0x400000U : 0));
  return bitsAs<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

#if defined(__x86_64__) // ARM's processors convert by themselves
[[gnu::weak, gnu::visibility("hidden")]] _Float16 truncateSingle(float) asm("__truncsfhf2");
_Float16 truncateSingle(float value) { return bitsAs<_Float16>(halfOf(value)); }
[[gnu::weak, gnu::visibility("hidden")]] _Float16 truncateDouble(double) asm("__truncdfhf2");
_Float16 truncateDouble(double value) { return bitsAs<_Float16>(halfOf(value)); }
[[gnu::weak, gnu::visibility("hidden")]] float extendHalf(_Float16) asm("__extendhfsf2");
float extendHalf(_Float16 value) { return floatOf(bitsAs<uint16_t>(value)); }
#endif

} // namespace cufrt
