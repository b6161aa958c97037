// Conversions with a rounding in their name, as __float2int_ru. To an integer, the rounded value is
// clamped to what the type holds, and NaN gives 0, or 2**63 where the operand or the result has 64
// bits (PTX ISA, cvt). See device_arithmetic.cpp for the names.
#include "host/soft_float.h"

#include <limits>

namespace cufrt::host {
namespace {

template <typename Integer, typename Real>
Integer toInteger(Real x, Rounding mode) {
  using Limits = std::numeric_limits<Integer>;
  if (x != x) {
    constexpr bool wide = sizeof(Real) == 8 || sizeof(Integer) == 8;
    return wide ? static_cast<Integer>(uint64_t{1} << (8 * sizeof(Integer) - 1)) : Integer{0};
  }
  bool negative = x < 0;
  Wide limit =
      negative ? Wide{0} - static_cast<Wide>(Limits::min()) : static_cast<Wide>(Limits::max());
  Integer clamped = negative ? Limits::min() : Limits::max();
  if (!isFinite(x))
    return clamped;
  Exact value = unpack(x);
  if (value.exponent > 64 && value.significand != 0)
    return clamped;
  Wide magnitude = roundToUnit(value, 0, mode);
  if (magnitude > limit)
    return clamped;
  auto bits = static_cast<uint64_t>(magnitude);
  return static_cast<Integer>(negative ? 0 - bits : bits);
}

template <typename Real, typename Integer>
Real fromInteger(Integer i, Rounding mode) {
  bool negative = i < 0;
  auto magnitude = static_cast<uint64_t>(i);
  return round<Real>({negative, 0, negative ? 0 - magnitude : magnitude}, mode);
}

float narrow(double x, Rounding mode) {
  return isFinite(x) ? round<float>(unpack(x), mode) : static_cast<float>(x);
}

} // namespace
} // namespace cufrt::host

using namespace cufrt::host;

#define CUFRT_CONVERT(from, From, to, To, suffix, mode)                                            \
  extern "C" To cufrt_nv_##from##2##to##_##suffix(From x) { return toInteger<To>(x, mode); }       \
  extern "C" From cufrt_nv_##to##2##from##_##suffix(To x) { return fromInteger<From>(x, mode); }

#define CUFRT_CONVERT_ALL(suffix, mode)                                                            \
  CUFRT_CONVERT(float, float, int, int32_t, suffix, mode)                                          \
  CUFRT_CONVERT(float, float, uint, uint32_t, suffix, mode)                                        \
  CUFRT_CONVERT(float, float, ll, int64_t, suffix, mode)                                           \
  CUFRT_CONVERT(float, float, ull, uint64_t, suffix, mode)                                         \
  CUFRT_CONVERT(double, double, int, int32_t, suffix, mode)                                        \
  CUFRT_CONVERT(double, double, uint, uint32_t, suffix, mode)                                      \
  CUFRT_CONVERT(double, double, ll, int64_t, suffix, mode)                                         \
  CUFRT_CONVERT(double, double, ull, uint64_t, suffix, mode)                                       \
  extern "C" float cufrt_nv_double2float_##suffix(double x) { return narrow(x, mode); }

CUFRT_CONVERT_ALL(rn, Rounding::Nearest)
CUFRT_CONVERT_ALL(rz, Rounding::Zero)
CUFRT_CONVERT_ALL(ru, Rounding::Up)
CUFRT_CONVERT_ALL(rd, Rounding::Down)
