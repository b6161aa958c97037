// Converts the value of a fill to the type of the data, by the rules of intrinsic assignment.
#include "cudafor/fill_value.h"

#include "cudafor/arguments.h"

#include <cstring>

namespace cufrt::cudafor {
namespace {

enum class Category { integer, real, complex, other };

// flang gives logical kinds other than 1 the codes of integers of least size.
Category categoryOf(const CFI_cdesc_t *data) {
  if (data->type >= CFI_type_signed_char && data->type <= CFI_type_ptrdiff_t)
    return Category::integer;
  if (data->type == CFI_type_half_float || data->type == CFI_type_float ||
      data->type == CFI_type_double)
    return Category::real;
  if (data->type == CFI_type_half_float_Complex || data->type == CFI_type_float_Complex ||
      data->type == CFI_type_double_Complex)
    return Category::complex;
  return Category::other;
}

double loadReal(const unsigned char *address, size_t bytes) {
  _Float16 half;
  float single;
  double wide;
  switch (bytes) {
  case 2:
    std::memcpy(&half, address, bytes);
    return static_cast<double>(half);
  case 4:
    std::memcpy(&single, address, bytes);
    return single;
  default:
    std::memcpy(&wide, address, sizeof wide);
    return wide;
  }
}

void storeReal(unsigned char *address, size_t bytes, double value) {
  _Float16 half = static_cast<_Float16>(value);
  float single = static_cast<float>(value);
  switch (bytes) {
  case 2:
    std::memcpy(address, &half, bytes);
    break;
  case 4:
    std::memcpy(address, &single, bytes);
    break;
  default:
    std::memcpy(address, &value, sizeof value);
    break;
  }
}

// A number as its parts: `whole` where it is an integer, else `real` and `imaginary`.
struct Number {
  bool isWhole;
  int64_t whole;
  double real, imaginary;
};

bool numberOf(const CFI_cdesc_t *value, Number &number) {
  auto *address = static_cast<const unsigned char *>(value->base_addr);
  number = {false, 0, 0, 0};
  switch (categoryOf(value)) {
  case Category::integer:
    number.isWhole = true;
    return integerValue(value, number.whole);
  case Category::real:
    number.real = loadReal(address, value->elem_len);
    return true;
  case Category::complex:
    number.real = loadReal(address, value->elem_len / 2);
    number.imaginary = loadReal(address + value->elem_len / 2, value->elem_len / 2);
    return true;
  case Category::other:
    return false;
  }
  return false;
}

bool isZero(const Number &number) {
  return number.isWhole ? number.whole == 0 : number.real == 0 && number.imaginary == 0;
}

// Beyond the range of 64-bit integers a conversion has no result.
bool wholeOf(const Number &number, int64_t &whole) {
  whole = number.whole;
  if (number.isWhole)
    return true;
  if (!(number.real > -0x1p63 && number.real < 0x1p63))
    return false;
  whole = static_cast<int64_t>(number.real);
  return true;
}

bool convert(const Number &number, const CFI_cdesc_t *data, unsigned char *bytes) {
  double real = number.isWhole ? static_cast<double>(number.whole) : number.real;
  int64_t whole;
  switch (categoryOf(data)) {
  case Category::integer:
    if (data->elem_len > sizeof whole || !wholeOf(number, whole))
      return false;
    std::memcpy(bytes, &whole, data->elem_len); // little endian
    return true;
  case Category::real:
    storeReal(bytes, data->elem_len, real);
    return true;
  case Category::complex:
    storeReal(bytes, data->elem_len / 2, real);
    storeReal(bytes + data->elem_len / 2, data->elem_len / 2, number.imaginary);
    return true;
  case Category::other:
    return false;
  }
  return false;
}

} // namespace

bool FillValue::assign(const CFI_cdesc_t *data, bool isAddress, const CFI_cdesc_t *value) {
  if (!value || value->rank != 0 || !value->base_addr)
    return false;
  if (!isAddress && value->type == data->type && value->elem_len == data->elem_len) {
    address = static_cast<const unsigned char *>(value->base_addr);
    length = value->elem_len;
    return true;
  }
  std::memset(converted, 0, sizeof converted);
  address = converted;
  Number number;
  if (!numberOf(value, number))
    return false;
  if (isAddress) {
    length = 1;
    converted[0] = static_cast<unsigned char>(number.whole);
    return number.isWhole;
  }
  length = data->elem_len;
  bool isNumeric = data->type > 0 && data->type <= CFI_type_Bool && length <= sizeof converted;
  return (isNumeric && isZero(number)) || convert(number, data, converted);
}

size_t FillValue::run(size_t offset) const {
  size_t end = offset + 1;
  while (end < length && address[end] == address[offset])
    ++end;
  return end - offset;
}

} // namespace cufrt::cudafor
