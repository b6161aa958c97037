// See numbers.h. Compilers for x86-64 convert half and brain floats by these types.
#include "libraries/numbers.h"
#include "core/foreign_access.h"

#include <cmath>

namespace cufrt::libraries {
namespace {

// A brain float is the upper half of a float; ties round to even.
float fromBrain(uint16_t bits) {
  uint32_t wide = uint32_t(bits) << 16;
  float value;
  __builtin_memcpy(&value, &wide, sizeof value);
  return value;
}

uint16_t toBrain(float value) {
  uint32_t wide;
  __builtin_memcpy(&wide, &value, sizeof wide);
  if (std::isnan(value))
    return static_cast<uint16_t>(wide >> 16 | 0x40);
  return static_cast<uint16_t>((wide + 0x7fff + (wide >> 16 & 1)) >> 16);
}

template <typename T>
const T &at(const void *base, int64_t index) {
  return static_cast<const T *>(base)[index];
}
template <typename T>
T &at(void *base, int64_t index) {
  return static_cast<T *>(base)[index];
}

} // namespace

bool isKnownData(int type) { return bytesOfData(type) != 0; }
bool isComplexData(int type) { return type == complexFloat || type == complexDouble; }

size_t bytesOfData(int type) {
  switch (type) {
  case integer8:
    return 1;
  case half:
  case brain:
    return 2;
  case real32:
  case integer32:
    return 4;
  case real64:
  case complexFloat:
    return 8;
  case complexDouble:
    return 16;
  default:
    return 0;
  }
}

std::complex<double> read(const void *base, int type, int64_t index) {
  switch (type) {
  case integer8:
    return at<int8_t>(base, index);
  case half:
    return static_cast<double>(at<_Float16>(base, index));
  case brain:
    return fromBrain(at<uint16_t>(base, index));
  case real32:
    return at<float>(base, index);
  case integer32:
    return at<int32_t>(base, index);
  case real64:
    return at<double>(base, index);
  case complexFloat:
    return at<std::complex<float>>(base, index);
  default:
    return at<std::complex<double>>(base, index);
  }
}

void write(void *base, int type, int64_t index, std::complex<double> value) {
  switch (type) {
  case integer8:
    at<int8_t>(base, index) =
        static_cast<int8_t>(std::lrint(std::fmax(-128, std::fmin(127, value.real()))));
    return;
  case half:
    at<_Float16>(base, index) = static_cast<_Float16>(value.real());
    return;
  case brain:
    at<uint16_t>(base, index) = toBrain(static_cast<float>(value.real()));
    return;
  case real32:
    at<float>(base, index) = static_cast<float>(value.real());
    return;
  case integer32:
    at<int32_t>(base, index) = static_cast<int32_t>(std::llrint(value.real()));
    return;
  case real64:
    at<double>(base, index) = value.real();
    return;
  case complexFloat:
    at<std::complex<float>>(base, index) = std::complex<float>(value);
    return;
  default:
    at<std::complex<double>>(base, index) = value;
  }
}

AnyScalar::AnyScalar(const void *address, int type) : type(type) {
  if (address && placeOf(address).home == Home::device)
    device = address;
  else if (address)
    value = read(address, type, 0);
}

} // namespace cufrt::libraries
