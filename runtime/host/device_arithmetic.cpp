// Arithmetic with a rounding in its name, as __fadd_rd: what libdevice's functions of these names
// are on a GPU. Kernels as host code call them with the prefix cufrt_nv_
// (codegen/cpu/host_kernels.cpp). Operands that are not finite have one result in all roundings, so
// the processor may give it.
#include "host/soft_float.h"

#include <cmath>

namespace cufrt::host {
namespace {

template <typename Real>
Real sum(Real x, Real y, Rounding mode) {
  if (!isFinite(x) || !isFinite(y))
    return x + y;
  return round<Real>(add(unpack(x), unpack(y), mode), mode);
}

template <typename Real>
Real product(Real x, Real y, Rounding mode) {
  if (!isFinite(x) || !isFinite(y))
    return x * y;
  return round<Real>(multiply(unpack(x), unpack(y)), mode);
}

template <typename Real>
Real multiplyAdd(Real x, Real y, Real z, Rounding mode) {
  if (!isFinite(x) || !isFinite(y) || !isFinite(z))
    return std::fma(x, y, z);
  return round<Real>(add(multiply(unpack(x), unpack(y)), unpack(z), mode), mode);
}

template <typename Real>
Real quotient(Real x, Real y, Rounding mode) {
  if (!isFinite(x) || !isFinite(y) || y == 0)
    return x / y;
  return round<Real>(divide(unpack(x), unpack(y)), mode);
}

template <typename Real>
Real root(Real x, Rounding mode) {
  if (!isFinite(x) || x <= 0)
    return std::sqrt(x);
  return round<Real>(squareRoot(unpack(x)), mode);
}

} // namespace
} // namespace cufrt::host

using namespace cufrt::host;

// One function for each rounding. `letter` is f or d, as the names begin.
#define CUFRT_ROUNDED(Real, letter, suffix, mode)                                                  \
  extern "C" Real cufrt_nv_##letter##add_##suffix(Real x, Real y) { return sum(x, y, mode); }      \
  extern "C" Real cufrt_nv_##letter##sub_##suffix(Real x, Real y) { return sum(x, -y, mode); }     \
  extern "C" Real cufrt_nv_##letter##mul_##suffix(Real x, Real y) { return product(x, y, mode); }  \
  extern "C" Real cufrt_nv_##letter##div_##suffix(Real x, Real y) { return quotient(x, y, mode); } \
  extern "C" Real cufrt_nv_##letter##rcp_##suffix(Real x) {                                        \
    return quotient(static_cast<Real>(1), x, mode);                                                \
  }                                                                                                \
  extern "C" Real cufrt_nv_##letter##sqrt_##suffix(Real x) { return root(x, mode); }

#define CUFRT_ROUNDED_ALL(suffix, mode)                                                            \
  CUFRT_ROUNDED(float, f, suffix, mode)                                                            \
  CUFRT_ROUNDED(double, d, suffix, mode)                                                           \
  extern "C" float cufrt_nv_fmaf_##suffix(float x, float y, float z) {                             \
    return multiplyAdd(x, y, z, mode);                                                             \
  }                                                                                                \
  extern "C" double cufrt_nv_fma_##suffix(double x, double y, double z) {                          \
    return multiplyAdd(x, y, z, mode);                                                             \
  }

CUFRT_ROUNDED_ALL(rn, Rounding::Nearest)
CUFRT_ROUNDED_ALL(rz, Rounding::Zero)
CUFRT_ROUNDED_ALL(ru, Rounding::Up)
CUFRT_ROUNDED_ALL(rd, Rounding::Down)
