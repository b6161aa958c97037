// See reallocate.h. Memory comes from flang's runtime, which follows the allocator in the
// descriptor.
#include "core/reallocate.h"
#include "core/allocators.h"
#include "core/descriptor.h"
#include "core/flang_runtime.h"
#include "core/section.h"

extern "C" int _FortranACUFAllocatableAllocate(CFI_cdesc_t &descriptor, int64_t *stream,
                                               bool *pinned, bool hasStat,
                                               const CFI_cdesc_t *errorMessage, const char *file,
                                               int line, bool deviceInit);

namespace cufrt {

bool needsReallocation(const CFI_cdesc_t &to, const CFI_cdesc_t &from) {
  if (to.attribute != CFI_attribute_allocatable)
    return false;
  // A scalar has no shape to give to an array; that the array is unallocated is an error.
  if (from.rank == 0 && to.rank > 0)
    return false;
  if (!to.base_addr || to.rank != from.rank)
    return true;
  for (int i = 0; i < to.rank; ++i)
    if (to.dim[i].extent != from.dim[i].extent)
      return true;
  return false;
}

void allocateLike(CFI_cdesc_t &replacement, const CFI_cdesc_t &to, const CFI_cdesc_t &from,
                  Location where, bool takesLength) {
  const CFI_cdesc_t &shape = takesLength && from.rank == 0 ? to : from;
  if (to.rank != shape.rank)
    fatal(where.file, where.line, "an array of rank %d is assigned to one of rank %d", from.rank,
          to.rank);
  copyDescriptor(replacement, to);
  replacement.base_addr = nullptr;
  if (const void **type = dynamicTypeOf(replacement); type && !*type)
    if (const void **given = dynamicTypeOf(const_cast<CFI_cdesc_t &>(from)))
      *type = *given;
  if (to.type == CFI_type_char && (takesLength || (!to.base_addr && to.elem_len == 0)))
    replacement.elem_len = from.elem_len;
  for (int i = 0; i < shape.rank; ++i)
    replacement.dim[i] = shape.dim[i];
  _FortranACUFAllocatableAllocate(replacement, nullptr, nullptr, false, nullptr, where.file,
                                  where.line, false);
}

void replaceAllocation(CFI_cdesc_t &to, const CFI_cdesc_t &replacement, Location where) {
  Deallocation statement(where, false);
  if (to.base_addr)
    _FortranAAllocatableDeallocate(to, false, nullptr, where.file, where.line);
  copyDescriptor(to, replacement);
}

} // namespace cufrt

// Makes an allocatable array one of these extents with lower bounds of 1, its elements undefined.
extern "C" void cufrt_give_shape(CFI_cdesc_t &array, const int64_t *extents, const char *file,
                                 int line) {
  cufrt::DescriptorStorage shapeStorage, newStorage;
  CFI_cdesc_t &shape = shapeStorage.descriptor(), &replacement = newStorage.descriptor();
  cufrt::copyDescriptor(shape, array);
  for (int i = 0; i < array.rank; ++i) {
    shape.dim[i].lower_bound = 1;
    shape.dim[i].extent = extents[i];
  }
  cufrt::allocateLike(replacement, array, shape, {file, line});
  cufrt::replaceAllocation(array, replacement, {file, line});
}
