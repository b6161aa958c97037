// The bytes of one element that cudaMemset and its relatives write.
#ifndef CUFRT_CUDAFOR_FILL_VALUE_H
#define CUFRT_CUDAFOR_FILL_VALUE_H

#include <flang/ISO_Fortran_binding.h>

#include <cstddef>

namespace cufrt::cudafor {

// Holds the bytes, or points to the argument they come from; not to be copied.
class FillValue {
public:
  // The value of scalar `value`, converted to the type of `data` as an assignment would; the lowest
  // byte of an integer if `data` is an address. False if there is no such conversion.
  bool assign(const CFI_cdesc_t *data, bool isAddress, const CFI_cdesc_t *value);

  const unsigned char *bytes() const { return address; }
  size_t size() const { return length; }

  // The number of bytes from `offset` on that are equal.
  size_t run(size_t offset) const;

private:
  const unsigned char *address = nullptr; // `converted`, or the caller's own value
  size_t length = 0;
  alignas(16) unsigned char converted[32];
};

} // namespace cufrt::cudafor
#endif // CUFRT_CUDAFOR_FILL_VALUE_H
