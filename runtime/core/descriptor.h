// What the runtime library needs to know of flang's array descriptors beyond the standard's
// CFI_cdesc_t: the addendum, the allocator, and copies of descriptors in device memory.
#ifndef CUFRT_CORE_DESCRIPTOR_H
#define CUFRT_CORE_DESCRIPTOR_H

#include "core/location.h"
#include "flang/ISO_Fortran_binding.h"

#include <cstddef>

namespace cufrt {

// Bytes of the header, the bounds and the addendum, as flang/Runtime/descriptor-consts.h gives
// them for a type without length parameters.
size_t descriptorBytes(const CFI_cdesc_t &descriptor);

// Room for a descriptor of any rank.
struct DescriptorStorage {
  alignas(CFI_cdesc_t) char bytes[sizeof(CFI_cdesc_t) + CFI_MAX_RANK * sizeof(CFI_dim_t) + 64];
  CFI_cdesc_t &descriptor() { return *reinterpret_cast<CFI_cdesc_t *>(bytes); }
};

void copyDescriptor(CFI_cdesc_t &to, const CFI_cdesc_t &from);

// Where a descriptor of flang says of which derived type the object is; null if it does not.
const void **dynamicTypeOf(CFI_cdesc_t &descriptor);

// A position in flang's allocator registry (core/allocators.h).
int allocatorOf(const CFI_cdesc_t &descriptor);
void setAllocator(CFI_cdesc_t &descriptor, int position);

// If `descriptor` is that of a device variable of a module, copies it to the device. Otherwise does
// nothing.
void syncIfGlobal(const CFI_cdesc_t &descriptor, Location where);

} // namespace cufrt

// flang/Runtime/CUDA/descriptor.h; defined in descriptor.cpp and used by the other entry points.
extern "C" {
void *_FortranACUFGetDeviceAddress(void *shadow, const char *file, int line);
void _FortranACUFDescriptorSync(CFI_cdesc_t *to, const CFI_cdesc_t *from, const char *file,
                                int line);
void _FortranACUFSyncGlobalDescriptor(void *shadow, const char *file, int line);
}
#endif // CUFRT_CORE_DESCRIPTOR_H
