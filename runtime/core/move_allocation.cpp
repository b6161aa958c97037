// MOVE_ALLOC of data in any memory. flang's runtime moves the descriptor, which names the
// allocator; added here are the device's copies of the descriptors of module data, and a check of
// what no compiler can see: that both are of the same memory.
#include "core/allocators.h"
#include "core/descriptor.h"
#include "core/flang_runtime.h"

namespace cufrt {
namespace {

// An allocatable with PINNED= may have got ordinary memory.
bool isOnHost(const CFI_cdesc_t &descriptor) {
  return allocatorOf(descriptor) == defaultAllocator || allocatorOf(descriptor) == pinnedAllocator;
}

bool haveSameMemory(const CFI_cdesc_t &one, const CFI_cdesc_t &other) {
  return allocatorOf(one) == allocatorOf(other) || (isOnHost(one) && isOnHost(other));
}

} // namespace
} // namespace cufrt

using namespace cufrt;

extern "C" int _FortranACUFMoveAlloc(CFI_cdesc_t &to, CFI_cdesc_t &from, const void *type,
                                     bool hasStat, const CFI_cdesc_t *errorMessage,
                                     const char *file, int line) {
  if (!haveSameMemory(to, from))
    fatal(file, line, "move_alloc between arrays that are not in the same memory");
  Deallocation statement({file, line}, hasStat);
  int status = _FortranAMoveAlloc(to, from, type, hasStat, errorMessage, file, line);
  if (status == 0) {
    syncIfGlobal(to, {file, line});
    syncIfGlobal(from, {file, line});
  }
  return status;
}
