// Copies between arrays of intrinsic types in host memory, as flang's run-time library does them,
// for the entry points that stand in place of its own (array_assignment.cpp, array_results.cpp).
#ifndef CUFRT_CORE_ARRAY_COPIES_H
#define CUFRT_CORE_ARRAY_COPIES_H

#include "flang/ISO_Fortran_binding.h"

#include <cstddef>

namespace cufrt {

// Neither of a derived type nor polymorphic, and all there.
inline bool isPlainArray(const CFI_cdesc_t &array) {
  constexpr unsigned addendumFlag = 1; // _CFI_ADDENDUM_FLAG
  return array.base_addr && !(array.extra & addendumFlag) && array.type != CFI_type_struct &&
         array.type != CFI_type_other;
}

inline bool haveSameShape(const CFI_cdesc_t &a, const CFI_cdesc_t &b) {
  if (a.rank != b.rank)
    return false;
  for (int i = 0; i < a.rank; ++i)
    if (a.dim[i].extent != b.dim[i].extent)
      return false;
  return true;
}

inline size_t elementsOf(const CFI_cdesc_t &array) {
  size_t elements = 1;
  for (int i = 0; i < array.rank; ++i)
    elements *= array.dim[i].extent > 0 ? array.dim[i].extent : 0;
  return elements;
}

// The elements follow each other in memory.
inline bool isDense(const CFI_cdesc_t &array) {
  auto bytes = static_cast<CFI_index_t>(array.elem_len);
  for (int i = 0; i < array.rank; ++i) {
    if (array.dim[i].extent != 1 && array.dim[i].sm != bytes)
      return false;
    bytes *= array.dim[i].extent;
  }
  return true;
}

// `count` elements of `bytes` bytes with these distances in bytes; the two have no byte in common.
void copyElements(char *to, CFI_index_t toStride, const char *from, CFI_index_t fromStride,
                  CFI_index_t count, size_t bytes);

// The elements of an array to or from memory where they follow each other.
void gather(char *to, const CFI_cdesc_t &from);
void scatter(const CFI_cdesc_t &to, const char *from);

// Arrays of one shape that have no byte in common.
void copy(const CFI_cdesc_t &to, const CFI_cdesc_t &from);

} // namespace cufrt
#endif // CUFRT_CORE_ARRAY_COPIES_H
