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

// Goes over the columns of two arrays of one shape.
class Columns {
public:
  Columns(const CFI_cdesc_t &first, const CFI_cdesc_t &second)
      : one(static_cast<char *>(first.base_addr)), other(static_cast<char *>(second.base_addr)),
        first(first), second(second) {}

  bool next() {
    for (int i = 1; i < first.rank; ++i) {
      one += first.dim[i].sm;
      other += second.dim[i].sm;
      if (++index[i] < first.dim[i].extent)
        return true;
      one -= index[i] * first.dim[i].sm;
      other -= index[i] * second.dim[i].sm;
      index[i] = 0;
    }
    return false;
  }

  char *one, *other;

private:
  const CFI_cdesc_t &first, &second;
  CFI_index_t index[CFI_MAX_RANK] = {};
};

inline CFI_index_t rowsOf(const CFI_cdesc_t &array) { return array.rank ? array.dim[0].extent : 1; }

inline CFI_index_t strideOf(const CFI_cdesc_t &array) { return array.rank ? array.dim[0].sm : 0; }

// Calls `visit` with the first element of each column, the distance of its elements in bytes and
// their number. The array has elements.
template <typename Visit>
void forEachColumn(const CFI_cdesc_t &array, Visit visit) {
  Columns columns(array, array);
  do {
    visit(columns.one, strideOf(array), rowsOf(array));
  } while (columns.next());
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
