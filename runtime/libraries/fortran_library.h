// BLAS and LAPACK of the system, loaded when a library of the host device first needs them, and
// calls of their Fortran entry points: everything goes by address, lengths of characters follow.
#ifndef CUFRT_LIBRARIES_FORTRAN_LIBRARY_H
#define CUFRT_LIBRARIES_FORTRAN_LIBRARY_H

#include <complex>
#include <cstddef>
#include <string>
#include <type_traits>

namespace cufrt::libraries {

using ComplexFloat = std::complex<float>;
using ComplexDouble = std::complex<double>;

// The numbers that a routine of the families S, D, C and Z works on.
template <typename T>
struct Number;
template <>
struct Number<float> {
  using Real = float;
  static constexpr char letter = 's';
  static constexpr bool isComplex = false;
};
template <>
struct Number<double> {
  using Real = double;
  static constexpr char letter = 'd';
  static constexpr bool isComplex = false;
};
template <>
struct Number<ComplexFloat> {
  using Real = float;
  static constexpr char letter = 'c';
  static constexpr bool isComplex = true;
};
template <>
struct Number<ComplexDouble> {
  using Real = double;
  static constexpr char letter = 'z';
  static constexpr bool isComplex = true;
};

template <typename T>
using Real = typename Number<T>::Real;
template <typename T>
inline constexpr bool isComplex = Number<T>::isComplex;

template <typename T>
T conjugate(const T &value) {
  if constexpr (isComplex<T>)
    return std::conj(value);
  else
    return value;
}

// The address of a routine such as "dgemm_". Ends the program with a message that names the
// packages if neither OpenBLAS nor the reference libraries are installed.
void *fortranRoutine(const char *name);

namespace detail {
template <typename T>
const void *addressOf(T *const &pointer) {
  return pointer;
}
template <typename T>
  requires(!std::is_pointer_v<T>)
const void *addressOf(const T &value) {
  return &value;
}
template <typename>
using Address = const void *;
} // namespace detail

// Values go by address, pointers as they are. Unused lengths at the end do no harm on x86-64.
template <typename... Arguments>
void callFortran(const char *name, const Arguments &...arguments) {
  using Routine = void (*)(detail::Address<Arguments>..., size_t, size_t, size_t, size_t);
  reinterpret_cast<Routine>(fortranRoutine(name))(detail::addressOf(arguments)..., 1, 1, 1, 1);
}

// The routine of a family: call<double>("gemm", ...) is dgemm.
template <typename T, typename... Arguments>
void call(const char *stem, const Arguments &...arguments) {
  std::string name = Number<T>::letter + std::string(stem) + '_';
  callFortran(name.c_str(), arguments...);
}

} // namespace cufrt::libraries
#endif // CUFRT_LIBRARIES_FORTRAN_LIBRARY_H
