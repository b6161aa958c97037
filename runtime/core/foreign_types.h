// gfortran's tables of Fortran's own types, which go with CLASS(*) (cufrt/foreign.h).
#ifndef CUFRT_CORE_FOREIGN_TYPES_H
#define CUFRT_CORE_FOREIGN_TYPES_H

#include "flang/ISO_Fortran_binding.h"
#include <cstdint>

namespace cufrt {

// The table for the object of a descriptor; null if it is of a derived type, or of one that
// gfortran has not.
const void *tableOfIntrinsicType(const CFI_cdesc_t &ours);

// Sets type and size of an element by such a table, one of gfortran's own objects or of ours, and
// the length of a string; false if it is another.
bool takeIntrinsicType(CFI_cdesc_t &ours, const void *table, std::uint64_t length);

} // namespace cufrt
#endif // CUFRT_CORE_FOREIGN_TYPES_H
