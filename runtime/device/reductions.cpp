// SUM, PRODUCT, MAXVAL, MINVAL, IALL, IANY, IPARITY, NORM2, ALL, ANY, COUNT and PARITY where the
// compiler does not make loops of them: mostly because DIM is not a constant.
#include "arrays.h"

namespace cufc_device {
namespace {

template <typename Part>
struct Complex {
  Part re, im;
};

template <typename T>
struct Sum {
  T total{};
  void add(T x) { total = static_cast<T>(total + x); }
};
template <typename Part>
struct Sum<Complex<Part>> {
  Complex<Part> total{};
  void add(Complex<Part> x) { total = {total.re + x.re, total.im + x.im}; }
};

template <typename T>
struct Product {
  T total{1};
  void add(T x) { total = static_cast<T>(total * x); }
};
template <typename Part>
struct Product<Complex<Part>> {
  Complex<Part> total{1, 0};
  void add(Complex<Part> x) {
    total = {total.re * x.re - total.im * x.im, total.re * x.im + total.im * x.re};
  }
};

// What MAXVAL gives for no elements is the negative number of largest magnitude (F2018, 16.9.132).
template <typename T>
constexpr T lowest() {
  if constexpr (T(0.5) == T(0))
    return static_cast<T>(uint64_t{1} << (sizeof(T) * 8 - 1));
  else if constexpr (sizeof(T) == 4)
    return -__FLT_MAX__;
  else
    return -__DBL_MAX__;
}
template <typename T>
constexpr T highest() {
  if constexpr (T(0.5) == T(0))
    return static_cast<T>(~lowest<T>());
  else
    return -lowest<T>();
}

// NaNs do not count unless there is nothing else.
template <typename T>
struct Max {
  T total = lowest<T>();
  bool first = true;
  void add(T x) {
    if (first || x > total || total != total)
      total = x;
    first = false;
  }
};
template <typename T>
struct Min {
  T total = highest<T>();
  bool first = true;
  void add(T x) {
    if (first || x < total || total != total)
      total = x;
    first = false;
  }
};

template <typename T>
struct BitAnd {
  T total = static_cast<T>(-1);
  void add(T x) { total = static_cast<T>(total & x); }
};
template <typename T>
struct BitOr {
  T total{};
  void add(T x) { total = static_cast<T>(total | x); }
};
template <typename T>
struct BitXor {
  T total{};
  void add(T x) { total = static_cast<T>(total ^ x); }
};

struct All {
  bool total = true;
  void add(bool x) { total = total && x; }
};
struct Any {
  bool total = false;
  void add(bool x) { total = total || x; }
};
struct Count {
  int64_t total = 0;
  void add(bool x) { total += x; }
};
struct Parity {
  bool total = false;
  void add(bool x) { total = total != x; }
};

// Squares of single precision are exact in double precision, whose range has the sum of any number
// of them.
struct SingleNorm {
  double total = 0;
  void add(float x) { total += static_cast<double>(x) * x; }
  float root() const { return static_cast<float>(__builtin_sqrt(total)); }
};

// The sum of the squares of numbers that are multiplied by a power of 2.
struct Squares {
  double factor = 1, total = 0;
  void add(double x) { total += x * factor * (x * factor); }
  double root() const { return __builtin_sqrt(total) * (1 / factor); }
  // Nothing has overflowed, and what has underflowed is too small beside the rest to count.
  bool isRight() const { return total >= __DBL_MIN__ / __DBL_EPSILON__ && total <= __DBL_MAX__; }
};
constexpr Squares ofSmall{0x1p600}, ofLarge{0x1p-600};

// For arrays that are read once.
struct DoubleNorm {
  Squares plain, small = ofSmall, large = ofLarge;
  void add(double x) {
    plain.add(x);
    small.add(x);
    large.add(x);
  }
  double root() const { return (plain.isRight() ? plain : plain.total > 1 ? large : small).root(); }
};

template <typename T>
T read(const Array &array, const Position &position) {
  return value<T>(array, position);
}
// Logical values of any kind.
template <>
bool read<bool>(const Array &array, const Position &position) {
  return integerAt(address(array, position), array.elem_len) != 0;
}

template <typename T, typename Reducer>
Reducer whole(const Array &array, const Array *mask, Reducer reducer = {}) {
  if (elements(array) > 0) {
    Position position;
    do {
      if (isTrue(mask, position))
        reducer.add(read<T>(array, position));
    } while (position.advance(array));
  }
  return reducer;
}

template <typename T, typename Reducer, typename Store>
void along(const Array &array, int dim, const Array *mask, const Array &result, Store store) {
  Position position;
  char *place = static_cast<char *>(result.base_addr);
  for (Index left = elements(result); left > 0; --left, place += result.elem_len) {
    Reducer reducer;
    for (Index k = 0; k < array.dim[dim].extent; ++k) {
      position.at[dim] = k;
      if (isTrue(mask, position))
        reducer.add(read<T>(array, position));
    }
    store(place, reducer);
    position.advance(array, dim);
  }
}

template <template <typename> typename Reducer, typename T>
void alongOf(Array &result, const Array &array, int dim, const Array *mask) {
  along<T, Reducer<T>>(array, dim, mask, result, [](char *place, const Reducer<T> &reducer) {
    *reinterpret_cast<T *>(place) = reducer.total;
  });
}

template <template <typename> typename Reducer>
bool integersAlong(Array &result, const Array &array, int dim, const Array *mask) {
  allocateWithout(result, array, dim, array.type, array.elem_len);
  switch (array.type) {
  case CFI_type_int8_t:
    alongOf<Reducer, int8_t>(result, array, dim, mask);
    return true;
  case CFI_type_int16_t:
    alongOf<Reducer, int16_t>(result, array, dim, mask);
    return true;
  case CFI_type_int32_t:
    alongOf<Reducer, int32_t>(result, array, dim, mask);
    return true;
  case CFI_type_int64_t:
    alongOf<Reducer, int64_t>(result, array, dim, mask);
    return true;
  default:
    return false;
  }
}

template <template <typename> typename Reducer>
bool numbersAlong(Array &result, const Array &array, int dim, const Array *mask) {
  if (integersAlong<Reducer>(result, array, dim, mask))
    return true;
  if (array.type == CFI_type_float)
    alongOf<Reducer, float>(result, array, dim, mask);
  else if (array.type == CFI_type_double)
    alongOf<Reducer, double>(result, array, dim, mask);
  else
    return false;
  return true;
}

template <template <typename> typename Reducer>
void allNumbersAlong(Array &result, const Array &array, int dim, const Array *mask) {
  if (numbersAlong<Reducer>(result, array, dim, mask))
    return;
  if (array.type == CFI_type_float_Complex)
    alongOf<Reducer, Complex<float>>(result, array, dim, mask);
  else
    alongOf<Reducer, Complex<double>>(result, array, dim, mask);
}

template <typename Reducer>
void truthsAlong(Array &result, const Array &array, int dim, CFI_type_t type, size_t bytes) {
  allocateWithout(result, array, dim, type, bytes);
  along<bool, Reducer>(array, dim, nullptr, result, [=](char *place, const Reducer &reducer) {
    storeInteger(place, bytes, reducer.total);
  });
}

template <typename T, typename Norm>
void normAlong(Array &result, const Array &array, int dim) {
  along<T, Norm>(array, dim, nullptr, result, [](char *place, const Norm &norm) {
    *reinterpret_cast<T *>(place) = norm.root();
  });
}

} // namespace

// Entry points: the array, a file name and a line that only the host uses, DIM, which is only given
// for arrays of rank one there, and MASK.
#define WHOLE(name, T, Reducer)                                                                    \
  CUFC_ENTRY T _FortranA##name(const Array &array, const char *, int, int, const Array *mask) {    \
    return whole<T, Reducer<T>>(array, mask).total;                                                \
  }
#define WHOLE_INTEGERS(name, suffix, Reducer)                                                      \
  WHOLE(name##suffix##1, int8_t, Reducer)                                                          \
  WHOLE(name##suffix##2, int16_t, Reducer)                                                         \
  WHOLE(name##suffix##4, int32_t, Reducer)                                                         \
  WHOLE(name##suffix##8, int64_t, Reducer)
#define WHOLE_NUMBERS(name, Reducer)                                                               \
  WHOLE_INTEGERS(name, Integer, Reducer)                                                           \
  WHOLE(name##Real4, float, Reducer)                                                               \
  WHOLE(name##Real8, double, Reducer)
#define WHOLE_COMPLEX(name, T, Reducer)                                                            \
  CUFC_ENTRY void _FortranACpp##name(T &result, const Array &array, const char *, int, int,        \
                                     const Array *mask) {                                          \
    result = whole<T, Reducer<T>>(array, mask).total;                                              \
  }

WHOLE_NUMBERS(Sum, Sum)
WHOLE_NUMBERS(Product, Product)
WHOLE_NUMBERS(Maxval, Max)
WHOLE_NUMBERS(Minval, Min)
WHOLE_INTEGERS(IAll, , BitAnd)
WHOLE_INTEGERS(IAny, , BitOr)
WHOLE_INTEGERS(IParity, , BitXor)
WHOLE_COMPLEX(SumComplex4, Complex<float>, Sum)
WHOLE_COMPLEX(SumComplex8, Complex<double>, Sum)
WHOLE_COMPLEX(ProductComplex4, Complex<float>, Product)
WHOLE_COMPLEX(ProductComplex8, Complex<double>, Product)

#define WHOLE_LOGICAL(name, T)                                                                     \
  CUFC_ENTRY T _FortranA##name(const Array &array, const char *, int, int) {                       \
    return whole<bool, name>(array, nullptr).total;                                                \
  }
WHOLE_LOGICAL(All, bool)
WHOLE_LOGICAL(Any, bool)
WHOLE_LOGICAL(Parity, bool)
WHOLE_LOGICAL(Count, int64_t)

CUFC_ENTRY float _FortranANorm2_4(const Array &array, const char *, int, int) {
  return whole<float, SingleNorm>(array, nullptr).root();
}
CUFC_ENTRY double _FortranANorm2_8(const Array &array, const char *, int, int) {
  Squares plain = whole<double, Squares>(array, nullptr);
  if (__builtin_expect(plain.isRight(), true))
    return plain.root();
  return whole<double>(array, nullptr, plain.total > 1 ? ofLarge : ofSmall).root();
}

#define ALONG(name, function, Reducer)                                                             \
  CUFC_ENTRY void _FortranA##name##Dim(Array &result, const Array &array, int dim, const char *,   \
                                       int, const Array *mask) {                                   \
    function<Reducer>(result, array, dim - 1, mask);                                               \
  }
ALONG(Sum, allNumbersAlong, Sum)
ALONG(Product, allNumbersAlong, Product)
ALONG(Maxval, numbersAlong, Max)
ALONG(Minval, numbersAlong, Min)
ALONG(IAll, integersAlong, BitAnd)
ALONG(IAny, integersAlong, BitOr)
ALONG(IParity, integersAlong, BitXor)

#define TRUTHS_ALONG(name)                                                                         \
  CUFC_ENTRY void _FortranA##name##Dim(Array &result, const Array &array, int dim, const char *,   \
                                       int) {                                                      \
    truthsAlong<name>(result, array, dim - 1, array.type, array.elem_len);                         \
  }
TRUTHS_ALONG(All)
TRUTHS_ALONG(Any)
TRUTHS_ALONG(Parity)

CUFC_ENTRY void _FortranACountDim(Array &result, const Array &array, int dim, int kind,
                                  const char *, int) {
  truthsAlong<Count>(result, array, dim - 1, integerType(kind), static_cast<size_t>(kind));
}

CUFC_ENTRY void _FortranANorm2Dim(Array &result, const Array &array, int dim, const char *, int) {
  allocateWithout(result, array, dim - 1, array.type, array.elem_len);
  if (array.type == CFI_type_float)
    normAlong<float, SingleNorm>(result, array, dim - 1);
  else
    normAlong<double, DoubleNorm>(result, array, dim - 1);
}

} // namespace cufc_device
