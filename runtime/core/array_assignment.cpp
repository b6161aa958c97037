// Assignments of arrays of intrinsic types that flang leaves to its run-time library: those of
// whole allocatable arrays, and those whose two sides may be in the same memory. Its function is
// general, and slow for small arrays. Where both sides have the same shape and type, and the left
// one is allocated, elements are copied here:
//
//   dense to dense      memmove
//   no byte in common   element by element
//   a(n:1:-1) to a      exchanged in place
//   else                through memory on the stack or heap
//
// All other assignments are flang's.
#include "core/allocators.h"
#include "core/array_copies.h"
#include "core/descriptor.h"
#include "core/flang_runtime.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>

extern "C" void _FortranAAssign(CFI_cdesc_t &to, const CFI_cdesc_t &from, const char *file,
                                int line);

namespace {

using namespace cufrt;

struct Range {
  const char *first, *end;
};

Range rangeOf(const CFI_cdesc_t &array) {
  auto *first = static_cast<const char *>(array.base_addr), *last = first;
  for (int i = 0; i < array.rank; ++i)
    (array.dim[i].sm < 0 ? first : last) += (array.dim[i].extent - 1) * array.dim[i].sm;
  return {first, last + array.elem_len};
}

bool overlap(const CFI_cdesc_t &a, const CFI_cdesc_t &b) {
  Range x = rangeOf(a), y = rangeOf(b);
  return x.first < y.end && y.first < x.end;
}

bool isReverse(const CFI_cdesc_t &to, const CFI_cdesc_t &from) {
  auto *first = static_cast<char *>(to.base_addr);
  return to.rank == 1 && from.dim[0].sm == -to.dim[0].sm &&
         from.base_addr == first + (to.dim[0].extent - 1) * to.dim[0].sm;
}

template <typename T>
void exchange(char *first, CFI_index_t stride, CFI_index_t count) {
  char *last = first + (count - 1) * stride;
  for (CFI_index_t i = 0; i < count / 2; ++i, first += stride, last -= stride) {
    T low, high;
    std::memcpy(&low, first, sizeof low);
    std::memcpy(&high, last, sizeof high);
    std::memcpy(first, &high, sizeof high);
    std::memcpy(last, &low, sizeof low);
  }
}

bool reverse(const CFI_cdesc_t &array) {
  auto *first = static_cast<char *>(array.base_addr);
  CFI_index_t stride = array.dim[0].sm, count = array.dim[0].extent;
  if (array.elem_len == 4)
    exchange<int32_t>(first, stride, count);
  else if (array.elem_len == 8 && stride == 8)
    std::reverse(reinterpret_cast<int64_t *>(first), reinterpret_cast<int64_t *>(first) + count);
  else if (array.elem_len == 8)
    exchange<int64_t>(first, stride, count);
  else
    return false;
  return true;
}

bool copyThroughMemory(const CFI_cdesc_t &to, const CFI_cdesc_t &from, size_t bytes) {
  char small[1024];
  char *memory = bytes <= sizeof small ? small : static_cast<char *>(std::malloc(bytes));
  if (!memory)
    return false;
  gather(memory, from);
  scatter(to, memory);
  if (memory != small)
    std::free(memory);
  return true;
}

bool assign(const CFI_cdesc_t &to, const CFI_cdesc_t &from) {
  if (to.type != from.type || to.elem_len != from.elem_len || !isPlainArray(to) ||
      !isPlainArray(from) || !haveSameShape(to, from))
    return false;
  size_t bytes = elementsOf(to) * to.elem_len;
  if (bytes == 0)
    return true;
  bool toDense = isDense(to), fromDense = isDense(from);
  if (toDense && fromDense) {
    std::memmove(to.base_addr, from.base_addr, bytes);
    return true;
  }
  if (overlap(to, from))
    return (isReverse(to, from) && reverse(to)) || copyThroughMemory(to, from, bytes);
  if (toDense)
    gather(static_cast<char *>(to.base_addr), from);
  else if (fromDense)
    scatter(to, static_cast<const char *>(from.base_addr));
  else
    copy(to, from);
  return true;
}

// text = trim(text)//'.' of CHARACTER(:), ALLOCATABLE, whose length becomes that of the value. One
// with a length of its own has another entry point.
bool assignText(CFI_cdesc_t &to, const CFI_cdesc_t &from) {
  if (to.rank != 0 || from.rank != 0 || to.type != from.type || to.type != CFI_type_char ||
      to.attribute != CFI_attribute_allocatable || allocatorOf(to) != defaultAllocator ||
      !from.base_addr)
    return false;
  if (to.base_addr && to.elem_len == from.elem_len) {
    std::memmove(to.base_addr, from.base_addr, from.elem_len);
    return true;
  }
  void *text = std::malloc(std::max(from.elem_len, size_t(1)));
  if (!text)
    return false;
  std::memcpy(text, from.base_addr, from.elem_len); // may be a part of the text before
  std::free(to.base_addr);
  to.base_addr = text;
  to.elem_len = from.elem_len;
  return true;
}

} // namespace

extern "C" void cufrt_assign(CFI_cdesc_t &to, const CFI_cdesc_t &from, const char *file, int line) {
  if (!assignText(to, from) && !assign(to, from))
    _FortranAAssign(to, from, file, line);
}

// An allocatable component of intrinsic type in an assignment of what has it, which gets the
// status, the bounds and the value of the other one (Fortran 2018, 10.2.1.3, paragraph 13).
extern "C" void cufrt_assign_component(CFI_cdesc_t &to, const CFI_cdesc_t &from, const char *file,
                                       int line) {
  if (&to == &from)
    return;
  bool fits =
      to.base_addr && from.base_addr && to.elem_len == from.elem_len && haveSameShape(to, from);
  if (to.base_addr && !fits)
    _FortranAAllocatableDeallocate(to, false, nullptr, file, line);
  if (!from.base_addr)
    return;
  if (!fits)
    return _FortranAAssign(to, from, file, line);
  std::memmove(to.base_addr, from.base_addr, elementsOf(to) * to.elem_len);
  for (int i = 0; i < to.rank; ++i)
    to.dim[i].lower_bound = from.dim[i].lower_bound;
}
