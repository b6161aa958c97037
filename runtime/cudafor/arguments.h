// What the entry points of module cudafor read out of their arguments.
//
// Arguments whose type or kind is free arrive as CFI descriptors of assumed-rank dummies. The
// functions here check them; `false` means that the caller passed something that cannot be used,
// and the entry point then returns `invalidValue()`. Nothing is owned, nothing is thrown.
#ifndef CUFRT_CUDAFOR_ARGUMENTS_H
#define CUFRT_CUDAFOR_ARGUMENTS_H

#include "cufrt/device.h"

#include <flang/ISO_Fortran_binding.h>

#include <cstddef>
#include <cstdint>

namespace cufrt::cudafor {

// Notes an error that was found before the device was asked, for cudaGetLastError; returns it.
Error refuse(Error error);
inline Error invalidValue() { return refuse(errorInvalidValue); }

// The value of an integer scalar of any kind.
bool integerValue(const CFI_cdesc_t *argument, int64_t &value);

// The same for sizes, which must not be negative.
bool sizeValue(const CFI_cdesc_t *argument, size_t &value);

// Stores into an integer scalar of any kind; false if it does not fit.
bool storeInteger(const CFI_cdesc_t *argument, int64_t value);

// A device number, or `cpuDevice`. False if it cannot be one.
bool deviceNumber(const CFI_cdesc_t *argument, int &device);

// The stream of an optional integer of any kind; this host thread's default stream if absent.
bool streamHandle(const CFI_cdesc_t *argument, void *&stream);

// Memory that a caller names by an array, an array element or an address.
struct Operand {
  char *address;
  size_t elementBytes; // 1 for an address
  size_t elements;     // that may be used from `address` on; SIZE_MAX if unknown
  bool isAddress;      // a scalar of type(c_ptr) or type(c_devptr)
};

// Whether `argument` is of the derived type of this name, in lower case as flang has it.
bool isOfType(const CFI_cdesc_t *argument, const char *name);

// Null addresses pass, because an array without elements has one: see `reaches`.
bool operandOf(const CFI_cdesc_t *argument, Operand &operand);

// Whether `count` elements of `operand` can be used.
bool reaches(const Operand &operand, size_t count);

// `operand` counted in bytes.
Operand inBytes(const Operand &operand);

// a * b, false if it overflows.
inline bool multiply(size_t a, size_t b, size_t &product) {
  return !__builtin_mul_overflow(a, b, &product);
}

} // namespace cufrt::cudafor
#endif // CUFRT_CUDAFOR_ARGUMENTS_H
