// ASSOCIATED with a target.
#include "arrays.h"

namespace cufc_device {
namespace {

bool areEqual(const CFI_dim_t &a, const CFI_dim_t &b) {
  return a.extent == b.extent && (a.sm == b.sm || a.extent < 2);
}

} // namespace

// A target without elements is associated with no pointer (Fortran 2018, 16.9.16).
CUFC_ENTRY bool _FortranAPointerIsAssociatedWith(const Array &pointer, const Array *target) {
  if (!target)
    return pointer.base_addr;
  if (!pointer.base_addr || pointer.base_addr != target->base_addr ||
      pointer.elem_len != target->elem_len || pointer.rank != target->rank ||
      (target->elem_len == 0 && target->type != CFI_type_struct))
    return false;
  for (int i = 0; i < pointer.rank; ++i)
    if (target->dim[i].extent == 0 || !areEqual(pointer.dim[i], target->dim[i]))
      return false;
  return true;
}

} // namespace cufc_device
