// Elements whose type is an argument: a cudaDataType. They are read as double precision complex
// numbers, which hold all values of the narrower types, and rounded to nearest when written.
#ifndef CUFRT_LIBRARIES_NUMBERS_H
#define CUFRT_LIBRARIES_NUMBERS_H

#include <complex>
#include <cstddef>
#include <cstdint>

namespace cufrt::libraries {

// The values of cudaDataType (library_types.h) that the host device knows.
enum Data : int {
  real32 = 0,
  real64 = 1,
  half = 2,
  integer8 = 3,
  complexFloat = 4,
  complexDouble = 5,
  integer32 = 10,
  brain = 14,
};

bool isKnownData(int type);
bool isComplexData(int type);
size_t bytesOfData(int type);

std::complex<double> read(const void *base, int type, int64_t index);
void write(void *base, int type, int64_t index, std::complex<double> value);

inline const void *shifted(const void *base, int type, int64_t elements) {
  return static_cast<const char *>(base) + elements * static_cast<int64_t>(bytesOfData(type));
}

inline bool isNumber(int type) {
  return type == real32 || type == real64 || type == complexFloat || type == complexDouble;
}

// What cuBLAS takes in vectors whose type is an argument, the type in which it computes then, and
// that of a length.
inline bool isVector(int type) { return isNumber(type) || type == half || type == brain; }
inline int executionOf(int type) { return type == half || type == brain ? real32 : type; }
inline int realOf(int type) {
  return type == complexFloat ? real32 : type == complexDouble ? real64 : type;
}

// Calls `body` with a null pointer to the type that is meant, one of the four of BLAS.
template <typename Body>
void withNumber(int type, const Body &body) {
  switch (type) {
  case real32:
    return body(static_cast<float *>(nullptr));
  case real64:
    return body(static_cast<double *>(nullptr));
  case complexFloat:
    return body(static_cast<std::complex<float> *>(nullptr));
  case complexDouble:
    return body(static_cast<std::complex<double> *>(nullptr));
  default:
    return;
  }
}

// A scalar in host memory counts with its value at the call, one in device memory with that when
// it is asked for.
class AnyScalar {
public:
  AnyScalar(const void *at, int type);
  std::complex<double> get() const { return device ? read(device, type, 0) : value; }

private:
  const void *device = nullptr;
  int type;
  std::complex<double> value;
};

} // namespace cufrt::libraries
#endif // CUFRT_LIBRARIES_NUMBERS_H
