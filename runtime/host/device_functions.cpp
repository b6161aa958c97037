// What device code calls of libdevice that C's <math.h> has not, for the host device: bits,
// products' high parts, functions in multiples of pi, and the fast functions, whose wide error
// bounds the accurate ones keep. See device_arithmetic.cpp for the names.
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace {

__extension__ using Signed128 = __int128;
__extension__ using Unsigned128 = unsigned __int128;

constexpr long double pi = 3.14159265358979323846264338327950288L;

// sin and cos of pi * x. x is reduced to a quarter of a turn without error, and the product with pi
// has the bits of long double.
struct Turn {
  double sine, cosine;
};

Turn turn(double x) {
  if (!std::isfinite(x))
    return {std::nan(""), std::nan("")};
  double half = std::nearbyint(2 * x); // in right angles; even for all large x
  long double angle = pi * static_cast<long double>(std::fma(half, -0.5, x));
  auto s = static_cast<double>(std::sin(angle)), c = static_cast<double>(std::cos(angle));
  // Zeros: sin(pi n) has the sign of n, cos of odd halves is +0, as libdevice has it.
  switch (static_cast<int>(std::fmod(half, 4.0)) & 3) {
  case 0:
    return {s == 0 ? std::copysign(0.0, x) : s, c};
  case 1:
    return {c, s == 0 ? 0.0 : -s};
  case 2:
    return {s == 0 ? std::copysign(0.0, x) : -s, -c};
  default:
    return {-c, s == 0 ? 0.0 : s};
  }
}

template <typename Integer>
Integer reversed(Integer bits) {
  Integer result = 0;
  for (unsigned i = 0; i < 8 * sizeof(Integer); ++i, bits >>= 1)
    result = static_cast<Integer>(result << 1 | (bits & 1));
  return result;
}

// CUDA C Programming Guide, intrinsic functions: zero for divisors beyond 2**126.
float fastQuotient(float x, float y) {
  float size = std::fabs(y);
  if (size > 0x1p126f && std::isfinite(y) && !std::isnan(x))
    return std::isinf(x) ? std::nanf("") : std::copysign(0.0f, x) * std::copysign(1.0f, y);
  return x / y;
}

int32_t low24(int32_t x) { return static_cast<int32_t>(static_cast<uint32_t>(x) << 8) >> 8; }

} // namespace

extern "C" {

// Bits.
int32_t cufrt_nv_brev(uint32_t x) { return static_cast<int32_t>(reversed(x)); }
int64_t cufrt_nv_brevll(uint64_t x) { return static_cast<int64_t>(reversed(x)); }
int32_t cufrt_nv_clz(uint32_t x) { return std::countl_zero(x); }
int32_t cufrt_nv_clzll(uint64_t x) { return std::countl_zero(x); }
int32_t cufrt_nv_ffs(uint32_t x) { return x ? std::countr_zero(x) + 1 : 0; }
int32_t cufrt_nv_ffsll(uint64_t x) { return x ? std::countr_zero(x) + 1 : 0; }
int32_t cufrt_nv_popc(uint32_t x) { return std::popcount(x); }
int32_t cufrt_nv_popcll(uint64_t x) { return std::popcount(x); }
float cufrt_nv_int_as_float(int32_t x) { return std::bit_cast<float>(x); }
int32_t cufrt_nv_float_as_int(float x) { return std::bit_cast<int32_t>(x); }
double cufrt_nv_longlong_as_double(int64_t x) { return std::bit_cast<double>(x); }
int64_t cufrt_nv_double_as_longlong(double x) { return std::bit_cast<int64_t>(x); }
int32_t cufrt_nv_double2loint(double x) { return static_cast<int32_t>(std::bit_cast<uint64_t>(x)); }
int32_t cufrt_nv_double2hiint(double x) {
  return static_cast<int32_t>(std::bit_cast<uint64_t>(x) >> 32);
}
double cufrt_nv_hiloint2double(int32_t high, uint32_t low) {
  return std::bit_cast<double>(static_cast<uint64_t>(static_cast<uint32_t>(high)) << 32 | low);
}
int32_t cufrt_nv_signbitf(float x) { return std::signbit(x); }
int32_t cufrt_nv_signbitd(double x) { return std::signbit(x); }

// Integers.
int32_t cufrt_nv_mulhi(int32_t x, int32_t y) { return static_cast<int32_t>(int64_t{x} * y >> 32); }
uint32_t cufrt_nv_umulhi(uint32_t x, uint32_t y) {
  return static_cast<uint32_t>(uint64_t{x} * y >> 32);
}
int64_t cufrt_nv_mul64hi(int64_t x, int64_t y) {
  return static_cast<int64_t>(static_cast<Signed128>(x) * y >> 64);
}
uint64_t cufrt_nv_umul64hi(uint64_t x, uint64_t y) {
  return static_cast<uint64_t>(static_cast<Unsigned128>(x) * y >> 64);
}
int32_t cufrt_nv_mul24(int32_t x, int32_t y) {
  return static_cast<int32_t>(int64_t{low24(x)} * low24(y));
}
uint32_t cufrt_nv_umul24(uint32_t x, uint32_t y) { return (x & 0xffffff) * (y & 0xffffff); }
uint32_t cufrt_nv_sad(int32_t x, int32_t y, uint32_t z) {
  return z + static_cast<uint32_t>(std::llabs(int64_t{x} - y));
}
uint32_t cufrt_nv_usad(uint32_t x, uint32_t y, uint32_t z) { return z + (x > y ? x - y : y - x); }

// Reals.
float cufrt_nv_saturatef(float x) { return x > 0 ? std::fmin(x, 1.0f) : 0.0f; }
float cufrt_nv_rsqrtf(float x) { return static_cast<float>(1 / std::sqrt(static_cast<double>(x))); }
double cufrt_nv_rsqrt(double x) { return 1 / std::sqrt(x); }
float cufrt_nv_sinpif(float x) { return static_cast<float>(turn(x).sine); }
float cufrt_nv_cospif(float x) { return static_cast<float>(turn(x).cosine); }
double cufrt_nv_sinpi(double x) { return turn(x).sine; }
double cufrt_nv_cospi(double x) { return turn(x).cosine; }
void cufrt_nv_sincosf(float x, float *s, float *c) {
  *s = std::sin(x);
  *c = std::cos(x);
}
void cufrt_nv_sincos(double x, double *s, double *c) {
  *s = std::sin(x);
  *c = std::cos(x);
}
void cufrt_nv_sincospif(float x, float *s, float *c) {
  Turn both = turn(x);
  *s = static_cast<float>(both.sine);
  *c = static_cast<float>(both.cosine);
}
void cufrt_nv_sincospi(double x, double *s, double *c) {
  Turn both = turn(x);
  *s = both.sine;
  *c = both.cosine;
}

// Nanoseconds, as the register globaltimer counts.
int64_t cufrt_nv_globaltimer() {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
}

// Fast functions.
float cufrt_nv_fast_sinf(float x) { return std::sin(x); }
float cufrt_nv_fast_cosf(float x) { return std::cos(x); }
float cufrt_nv_fast_tanf(float x) { return std::tan(x); }
float cufrt_nv_fast_expf(float x) { return std::exp(x); }
float cufrt_nv_fast_exp10f(float x) { return static_cast<float>(std::pow(10.0, x)); }
float cufrt_nv_fast_logf(float x) { return std::log(x); }
float cufrt_nv_fast_log2f(float x) { return std::log2(x); }
float cufrt_nv_fast_log10f(float x) { return std::log10(x); }
float cufrt_nv_fast_powf(float x, float y) { return std::pow(x, y); }
float cufrt_nv_fast_fdividef(float x, float y) { return fastQuotient(x, y); }
void cufrt_nv_fast_sincosf(float x, float *s, float *c) { cufrt_nv_sincosf(x, s, c); }

} // extern "C"
