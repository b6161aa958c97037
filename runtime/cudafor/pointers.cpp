// c_f_pointer for allocatables: the array takes over the memory at an address. The entry point gets
// the descriptor of the caller's variable, whose allocator stays, so that `deallocate` calls
// cudaFree.
#include "core/descriptor.h"
#include "cudafor/arguments.h"
#include "cudafor/entries.h"

#include <cstring>

extern "C" int _FortranACUFAllocatableDeallocate(CFI_cdesc_t &object, bool hasStat,
                                                 const CFI_cdesc_t *errorMessage, const char *file,
                                                 int line);

namespace cufrt::cudafor {
namespace {

// The number of extents that an argument brings, a scalar being one; -1 if it can be no shape.
int numberOfExtents(const CFI_cdesc_t *shape) {
  if (!shape)
    return 0;
  if (shape->rank > 1)
    return -1;
  return shape->rank == 0 ? 1 : static_cast<int>(shape->dim[0].extent);
}

bool extentAt(const CFI_cdesc_t &shape, int number, size_t &extent) {
  CFI_cdesc_t element;
  std::memcpy(static_cast<void *>(&element), &shape, offsetof(CFI_cdesc_t, dim));
  element.rank = 0;
  if (shape.rank > 0)
    element.base_addr = static_cast<char *>(shape.base_addr) + number * shape.dim[0].sm;
  return sizeValue(&element, extent);
}

void setShape(CFI_cdesc_t &array, const CFI_cdesc_t *shape) {
  if (numberOfExtents(shape) != array.rank)
    fatal(nullptr, 0, "c_f_pointer: %d extents for an array of rank %d", numberOfExtents(shape),
          array.rank);
  auto stride = static_cast<CFI_index_t>(array.elem_len);
  for (int i = 0; i < array.rank; ++i) {
    size_t extent;
    if (!extentAt(*shape, i, extent))
      fatal(nullptr, 0, "c_f_pointer: extent %d is no size", i + 1);
    array.dim[i] = {1, static_cast<CFI_index_t>(extent), stride};
    stride *= array.dim[i].extent;
  }
}

} // namespace
} // namespace cufrt::cudafor

extern "C" void cufrt_f_devptrToAllocatable_allocatable(void **cptr, CFI_cdesc_t *fptr,
                                                        const CFI_cdesc_t *shape) {
  if (fptr->base_addr && fptr->base_addr != *cptr)
    _FortranACUFAllocatableDeallocate(*fptr, false, nullptr, nullptr, 0);
  cufrt::cudafor::setShape(*fptr, shape);
  fptr->base_addr = *cptr;
  cufrt::syncIfGlobal(*fptr, {nullptr, 0});
}
