// Vectors (BLAS level 1) on the host device. Sums and searches are loops: how a BLAS returns
// complex functions depends on its compiler, and the library knows amin, which BLAS does not.
#include "libraries/cublas/cublas.h"
#include "libraries/cublas/rotation.h"

#include <cmath>

namespace cufrt::libraries::cublas {
namespace {

// The first element that a negative stride begins with lies at the end.
template <typename T>
T *startOf(T *x, int n, int inc) {
  return inc < 0 ? opened(x) - static_cast<int64_t>(n - 1) * inc : opened(x);
}

template <typename T>
Real<T> magnitude(const T &value) { // |re| + |im|, BLAS's measure of size
  if constexpr (isComplex<T>)
    return std::abs(value.real()) + std::abs(value.imag());
  else
    return std::abs(value);
}

template <typename T>
Status nrm2(void *handle, int n, const T *x, int inc, Out<Real<T>> result) {
  return run(handle, result.at, [=] {
    const T *at = opened(x);
    Real<T> scale = 0, sum = 1; // LAPACK's way, which does not overflow
    auto add = [&](Real<T> part) {
      part = std::abs(part);
      if (part == 0)
        return;
      Real<T> ratio = scale < part ? scale / part : part / scale;
      sum = scale < part ? 1 + sum * ratio * ratio : sum + ratio * ratio;
      scale = scale < part ? part : scale;
    };
    for (int64_t i = 0; inc > 0 && i < n; ++i) {
      add(std::real(at[i * inc]));
      if constexpr (isComplex<T>)
        add(std::imag(at[i * inc]));
    }
    *opened(result.at) = scale * std::sqrt(sum);
  });
}

template <typename T>
Status asum(void *handle, int n, const T *x, int inc, Out<Real<T>> result) {
  return run(handle, result.at, [=] {
    const T *at = opened(x);
    Real<T> sum = 0;
    for (int64_t i = 0; inc > 0 && i < n; ++i)
      sum += magnitude(at[i * inc]);
    *opened(result.at) = sum;
  });
}

template <typename T, bool isConjugated>
Status dotProduct(void *handle, int n, const T *x, int incx, const T *y, int incy, Out<T> result) {
  return run(handle, result.at, [=] {
    const T *left = startOf(x, n, incx), *right = startOf(y, n, incy);
    T sum = 0;
    for (int64_t i = 0; i < n; ++i)
      sum += (isConjugated ? conjugate(left[i * incx]) : left[i * incx]) * right[i * incy];
    *opened(result.at) = sum;
  });
}
template <typename T>
constexpr auto dot = dotProduct<T, false>;
template <typename T>
constexpr auto dotc = dotProduct<T, true>;

// The index, from 1, of the first element that is larger, or smaller, than all before; 0 for none.
template <typename T, bool isLargest>
Status extreme(void *handle, int n, const T *x, int inc, Out<int> result) {
  return run(handle, result.at, [=] {
    const T *at = opened(x);
    int found = n < 1 || inc < 1 ? 0 : 1;
    for (int64_t i = 1; found && i < n; ++i) {
      Real<T> here = magnitude(at[i * inc]), best = magnitude(at[int64_t(found - 1) * inc]);
      if (isLargest ? here > best : here < best)
        found = static_cast<int>(i) + 1;
    }
    *opened(result.at) = found;
  });
}
template <typename T>
constexpr auto amax = extreme<T, true>;
template <typename T>
constexpr auto amin = extreme<T, false>;

template <typename T>
Status scal(void *handle, int n, In<T> alpha, T *x, int inc) {
  return run(handle, alpha.at,
             [=, alpha = scalar(alpha)] { call<T>("scal", n, alpha.get(), opened(x), inc); });
}

// A complex vector by a real number.
template <typename T>
Status realScal(void *handle, int n, In<Real<T>> alpha, T *x, int inc) {
  return run(handle, alpha.at, [=, alpha = scalar(alpha)] {
    Real<T> factor = alpha.get();
    T *at = opened(x);
    for (int64_t i = 0; inc > 0 && i < n; ++i)
      at[i * inc] *= factor;
  });
}

template <typename T>
Status axpy(void *handle, int n, In<T> alpha, const T *x, int incx, T *y, int incy) {
  return run(handle, alpha.at, [=, alpha = scalar(alpha)] {
    call<T>("axpy", n, alpha.get(), opened(x), incx, opened(y), incy);
  });
}

template <typename T>
Status copy(void *handle, int n, const T *x, int incx, T *y, int incy) {
  return run(handle, true, [=] { call<T>("copy", n, opened(x), incx, opened(y), incy); });
}

template <typename T>
Status swap(void *handle, int n, T *x, int incx, T *y, int incy) {
  return run(handle, true, [=] { call<T>("swap", n, opened(x), incx, opened(y), incy); });
}

// (x, y) becomes (c x + s y, c y - conj(s) x).
template <typename T, typename Sine>
Status rotate(void *handle, int n, T *x, int incx, T *y, int incy, In<Real<T>> c, In<Sine> s) {
  return run(handle, c.at && s.at, [=, c = scalar(c), s = scalar(s)] {
    T *left = startOf(x, n, incx), *right = startOf(y, n, incy);
    Real<T> cosine = c.get();
    Sine sine = s.get();
    for (int64_t i = 0; i < n; ++i) {
      T before = left[i * incx];
      left[i * incx] = cosine * before + sine * right[i * incy];
      right[i * incy] = cosine * right[i * incy] - conjugate(sine) * before;
    }
  });
}
template <typename T>
constexpr auto rot = rotate<T, T>;
template <typename T>
constexpr auto realRot = rotate<T, Real<T>>;

template <typename T>
Status rotg(void *handle, T *a, T *b, Real<T> *c, T *s) {
  return run(handle, a && b && c && s,
             [=] { makeRotation(*opened(a), *opened(b), *opened(c), *opened(s)); });
}

template <typename T>
Status rotm(void *handle, int n, T *x, int incx, T *y, int incy, const T *parameters) {
  return run(handle, parameters,
             [=] { call<T>("rotm", n, opened(x), incx, opened(y), incy, opened(parameters)); });
}

template <typename T>
Status rotmg(void *handle, T *d1, T *d2, T *x1, const T *y1, T *parameters) {
  return run(handle, d1 && d2 && x1 && y1 && parameters, [=] {
    call<T>("rotmg", opened(d1), opened(d2), opened(x1), opened(y1), opened(parameters));
  });
}

#define INDEX(stem, function)                                                                      \
  CUFRT_ROW("cublasIs" stem, (*function<float>)), CUFRT_ROW("cublasId" stem, (*function<double>)), \
      CUFRT_ROW("cublasIc" stem, (*function<ComplexFloat>)),                                       \
      CUFRT_ROW("cublasIz" stem, (*function<ComplexDouble>))
#define REAL_RESULT(stem, function)                                                                \
  CUFRT_REAL("cublas", stem, function), CUFRT_ROW("cublasSc" stem, (function<ComplexFloat>)),      \
      CUFRT_ROW("cublasDz" stem, (function<ComplexDouble>))

} // namespace

std::span<const HostFunction> level1() {
  static const HostFunction rows[] = {
      REAL_RESULT("nrm2_v2", nrm2),
      REAL_RESULT("asum_v2", asum),
      CUFRT_REAL("cublas", "dot_v2", *dot),
      CUFRT_COMPLEX("cublas", "dotu_v2", *dot),
      CUFRT_COMPLEX("cublas", "dotc_v2", *dotc),
      INDEX("amax_v2", amax),
      INDEX("amin_v2", amin),
      CUFRT_ALL("cublas", "scal_v2", scal),
      CUFRT_ROW("cublasCsscal_v2", (realScal<ComplexFloat>)),
      CUFRT_ROW("cublasZdscal_v2", (realScal<ComplexDouble>)),
      CUFRT_ALL("cublas", "axpy_v2", axpy),
      CUFRT_ALL("cublas", "copy_v2", copy),
      CUFRT_ALL("cublas", "swap_v2", swap),
      CUFRT_ALL("cublas", "rot_v2", *rot),
      CUFRT_ROW("cublasCsrot_v2", (*realRot<ComplexFloat>)),
      CUFRT_ROW("cublasZdrot_v2", (*realRot<ComplexDouble>)),
      CUFRT_ALL("cublas", "rotg_v2", rotg),
      CUFRT_REAL("cublas", "rotm_v2", rotm),
      CUFRT_REAL("cublas", "rotmg_v2", rotmg),
  };
  return rows;
}

} // namespace cufrt::libraries::cublas
