// Copies of data with a CUDA attribute that the threads or tasks of an OpenMP construct have for
// themselves (compiler/lower/private_device_data.cpp): memory of the same kind as the original's.
#include "core/allocators.h"
#include "core/copy.h"
#include "core/descriptor.h"
#include "core/section.h"
#include "core/transfer.h"

#include <algorithm>
#include <cstdlib>

namespace cufrt {
namespace {

AllocatorPosition positionOf(MemoryKind kind) {
  switch (kind) {
  case MemoryKind::device:
    return deviceAllocator;
  case MemoryKind::managed:
    return managedAllocator;
  case MemoryKind::unified:
    return unifiedAllocator;
  case MemoryKind::pinned:
    return pinnedAllocator;
  }
  return defaultAllocator;
}

} // namespace
} // namespace cufrt

using namespace cufrt;

// `own` becomes like `original`: without memory if that is not allocated.
extern "C" void cufrt_private_begin(CFI_cdesc_t &own, const CFI_cdesc_t &original, int32_t kind) {
  copyDescriptor(own, original);
  setAllocator(own, positionOf(static_cast<MemoryKind>(kind)));
  own.base_addr = nullptr;
  if (!original.base_addr)
    return;
  size_t bytes = std::max<size_t>(1, sectionOf(original).bytes());
  check(allocateMemory(&own.base_addr, bytes, static_cast<MemoryKind>(kind)), {},
        "allocating %zu bytes for a private variable", bytes);
  auto stride = static_cast<CFI_index_t>(own.elem_len);
  for (int i = 0; i < own.rank; ++i) {
    own.dim[i].sm = stride;
    stride *= own.dim[i].extent;
  }
}

// FIRSTPRIVATE.
extern "C" void cufrt_private_value(CFI_cdesc_t &own, const CFI_cdesc_t &original) {
  if (own.base_addr)
    _FortranACUFDataTransferDescDescNoRealloc(&own, const_cast<CFI_cdesc_t *>(&original),
                                              static_cast<unsigned>(Direction::deviceToDevice),
                                              nullptr, 0);
}

// What the construct has left allocated goes with it.
extern "C" void cufrt_private_end(CFI_cdesc_t &own, int32_t kind) {
  if (!own.base_addr)
    return;
  if (allocatorOf(own) == defaultAllocator) // pinned memory that was not to be had
    std::free(own.base_addr);
  else
    check(freeAutomatically(own.base_addr, static_cast<MemoryKind>(kind)), {},
          "freeing a private variable");
  own.base_addr = nullptr;
}
