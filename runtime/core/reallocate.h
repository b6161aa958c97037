// Reallocation of an allocatable on the left of an assignment (Fortran 2018, 10.2.1.3).
#ifndef CUFRT_CORE_REALLOCATE_H
#define CUFRT_CORE_REALLOCATE_H

#include "core/location.h"
#include "flang/ISO_Fortran_binding.h"

namespace cufrt {

bool needsReallocation(const CFI_cdesc_t &to, const CFI_cdesc_t &from);

// Makes `replacement` an allocated array with the type and memory kind of `to` and the bounds of
// `from`; with `takesLength`, text of the length of `from` (in bytes), which then may be a scalar.
void allocateLike(CFI_cdesc_t &replacement, const CFI_cdesc_t &to, const CFI_cdesc_t &from,
                  Location where, bool takesLength = false);

// Frees what `to` holds and gives it what `replacement` holds.
void replaceAllocation(CFI_cdesc_t &to, const CFI_cdesc_t &replacement, Location where);

} // namespace cufrt
#endif // CUFRT_CORE_REALLOCATE_H
