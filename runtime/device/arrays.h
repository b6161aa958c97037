// Arrays as the entry points of flang's run-time library get them in device code: descriptors,
// subscripts counted from zero, and results in memory of the device's heap, which the caller frees.
//
// This folder is compiled to LLVM IR for the GPU and linked into device modules, from which the
// host device's kernels are made also. So it uses no library but malloc, free and the memory
// functions.
#ifndef CUFRT_DEVICE_ARRAYS_H
#define CUFRT_DEVICE_ARRAYS_H

#include "flang/ISO_Fortran_binding.h"
#include <stddef.h>
#include <stdint.h>

extern "C" void *malloc(size_t);
extern "C" void free(void *);

#define CUFC_ENTRY extern "C"

namespace cufc_device {

using Array = CFI_cdesc_t;
using Index = ptrdiff_t;

// One position in an array, a subscript for each dimension.
struct Position {
  Index at[CFI_MAX_RANK] = {};

  // To the next element in array element order; false after the last. `fixed` stays as it is.
  bool advance(const Array &array, int fixed = -1) {
    for (int i = 0; i < array.rank; ++i) {
      if (i == fixed)
        continue;
      if (++at[i] < array.dim[i].extent)
        return true;
      at[i] = 0;
    }
    return false;
  }
};

inline Index elements(const Array &array) {
  Index count = 1;
  for (int i = 0; i < array.rank; ++i)
    count *= array.dim[i].extent;
  return count;
}

inline char *address(const Array &array, const Position &position) {
  char *place = static_cast<char *>(array.base_addr);
  for (int i = 0; i < array.rank; ++i)
    place += position.at[i] * array.dim[i].sm;
  return place;
}

template <typename T>
const T &value(const Array &array, const Position &position) {
  return *reinterpret_cast<const T *>(address(array, position));
}

template <typename Word>
inline void copyWords(char *to, const char *from, size_t count) {
  for (size_t i = 0; i < count; i += sizeof(Word))
    *reinterpret_cast<Word *>(to + i) = *reinterpret_cast<const Word *>(from + i);
}

inline void copyBytes(char *to, const char *from, size_t count) {
  uintptr_t all = reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from) | count;
  if (all % 8 == 0)
    copyWords<uint64_t>(to, from, count);
  else if (all % 4 == 0)
    copyWords<uint32_t>(to, from, count);
  else
    copyWords<char>(to, from, count);
}

inline int64_t integerAt(const char *place, size_t bytes) {
  switch (bytes) {
  case 1:
    return *reinterpret_cast<const int8_t *>(place);
  case 2:
    return *reinterpret_cast<const int16_t *>(place);
  case 4:
    return *reinterpret_cast<const int32_t *>(place);
  default:
    return *reinterpret_cast<const int64_t *>(place);
  }
}

inline void storeInteger(char *place, size_t bytes, int64_t number) {
  switch (bytes) {
  case 1:
    *reinterpret_cast<int8_t *>(place) = static_cast<int8_t>(number);
    break;
  case 2:
    *reinterpret_cast<int16_t *>(place) = static_cast<int16_t>(number);
    break;
  case 4:
    *reinterpret_cast<int32_t *>(place) = static_cast<int32_t>(number);
    break;
  default:
    *reinterpret_cast<int64_t *>(place) = number;
  }
}

// Whether an element takes part: a mask may be absent, a scalar or an array.
inline bool isTrue(const Array *mask, const Position &position) {
  return !mask || !mask->base_addr || integerAt(address(*mask, position), mask->elem_len) != 0;
}

inline CFI_type_t integerType(int kind) {
  return kind == 1   ? CFI_type_int8_t
         : kind == 2 ? CFI_type_int16_t
         : kind == 4 ? CFI_type_int32_t
                     : CFI_type_int64_t;
}

inline void *allocateBytes(size_t bytes) {
  void *memory = malloc(bytes > 0 ? bytes : 1);
  if (!memory)
    __builtin_trap(); // the device's heap is exhausted (cudaLimitMallocHeapSize)
  return memory;
}

// Makes `result` a contiguous allocated array.
inline void allocate(Array &result, int rank, const Index *extents, CFI_type_t type,
                     size_t elementBytes) {
  result.elem_len = elementBytes;
  result.version = CFI_VERSION;
  result.rank = static_cast<CFI_rank_t>(rank);
  result.type = type;
  result.attribute = CFI_attribute_allocatable;
  Index step = static_cast<Index>(elementBytes);
  for (int i = 0; i < rank; ++i) {
    result.dim[i].lower_bound = 1;
    result.dim[i].extent = extents[i] > 0 ? extents[i] : 0;
    result.dim[i].sm = step;
    step *= result.dim[i].extent;
  }
  result.base_addr = allocateBytes(static_cast<size_t>(step));
}

inline void allocateLike(Array &result, const Array &model) {
  Index extents[CFI_MAX_RANK];
  for (int i = 0; i < model.rank; ++i)
    extents[i] = model.dim[i].extent;
  allocate(result, model.rank, extents, model.type, model.elem_len);
}

// The result of reducing `array` along a dimension counted from zero.
inline void allocateWithout(Array &result, const Array &array, int dim, CFI_type_t type,
                            size_t elementBytes) {
  Index extents[CFI_MAX_RANK];
  int rank = 0;
  for (int i = 0; i < array.rank; ++i)
    if (i != dim)
      extents[rank++] = array.dim[i].extent;
  allocate(result, rank, extents, type, elementBytes);
}

} // namespace cufc_device
#endif // CUFRT_DEVICE_ARRAYS_H
