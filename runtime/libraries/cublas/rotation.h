// The Givens rotation that makes the second component of a vector zero: rotg of BLAS level 1,
// computed here since that of OpenBLAS 0.3.26 (Ubuntu 24.04) is wrong for complex numbers.
#ifndef CUFRT_LIBRARIES_CUBLAS_ROTATION_H
#define CUFRT_LIBRARIES_CUBLAS_ROTATION_H

#include "libraries/fortran_library.h"

#include <cmath>

namespace cufrt::libraries::cublas {

// The length takes the place of `a`. That of `b` gets, for real numbers, what the rotation can be
// made of again; the complex `b` stays. A vector of zeros turns by nothing.
template <typename T>
void makeRotation(T &a, T &b, Real<T> &cosine, T &sine) {
  using std::abs;
  const Real<T> first = abs(a), second = abs(b), scale = first + second;
  if constexpr (isComplex<T>) {
    if (first == 0) {
      cosine = 0;
      sine = 1;
      a = b;
      return;
    }
    const Real<T> length = scale * std::hypot(first / scale, second / scale);
    const T direction = a / first;
    cosine = first / length;
    sine = direction * std::conj(b) / length;
    a = direction * length;
  } else {
    if (scale == 0) {
      cosine = 1;
      sine = a = b = 0;
      return;
    }
    const T length =
        std::copysign(scale * std::hypot(a / scale, b / scale), first > second ? a : b);
    cosine = a / length;
    sine = b / length;
    b = first > second ? sine : cosine != 0 ? 1 / cosine : T{1};
    a = length;
  }
}

} // namespace cufrt::libraries::cublas
#endif // CUFRT_LIBRARIES_CUBLAS_ROTATION_H
