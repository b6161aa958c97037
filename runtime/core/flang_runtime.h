// The entry points of flang's runtime that this library calls, as flang/Runtime/allocatable.h,
// pointer.h and derived-api.h declare them. Those headers need flang's own descriptor class, which
// is not installed; CFI_cdesc_t is its standard part.
#ifndef CUFRT_CORE_FLANG_RUNTIME_H
#define CUFRT_CORE_FLANG_RUNTIME_H

#include "flang/ISO_Fortran_binding.h"

#include <cstddef>
#include <cstdint>

extern "C" {

// How the default initial value of a derived type gets into new memory.
using CufrtInitialise = void *(*)(void *to, const void *from, std::size_t bytes);

int _FortranAAllocatableAllocate(CFI_cdesc_t &descriptor, std::int64_t *stream, bool hasStat,
                                 const CFI_cdesc_t *errorMessage, const char *file, int line,
                                 CufrtInitialise initialise);
int _FortranAAllocatableDeallocate(CFI_cdesc_t &descriptor, bool hasStat,
                                   const CFI_cdesc_t *errorMessage, const char *file, int line);
int _FortranAPointerAllocate(CFI_cdesc_t &descriptor, bool hasStat, const CFI_cdesc_t *errorMessage,
                             const char *file, int line, CufrtInitialise initialise);
int _FortranAPointerDeallocate(CFI_cdesc_t &descriptor, bool hasStat,
                               const CFI_cdesc_t *errorMessage, const char *file, int line);
int _FortranAMoveAlloc(CFI_cdesc_t &to, CFI_cdesc_t &from, const void *type, bool hasStat,
                       const CFI_cdesc_t *errorMessage, const char *file, int line);
void _FortranAInitialize(const CFI_cdesc_t &descriptor, const char *file, int line);
}
#endif // CUFRT_CORE_FLANG_RUNTIME_H
