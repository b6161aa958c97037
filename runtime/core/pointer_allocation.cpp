// ALLOCATE of a pointer to a scalar of a derived type, a node of a list or of a tree. flang's
// runtime walks over the components of the type for each. What it has made of the first object of a
// type, initial values and descriptors of components, is copied to the others here.
#include "core/allocators.h"
#include "core/descriptor.h"
#include "core/flang_runtime.h"

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>

// flang/Runtime/pointer.h
extern "C" void *AllocateValidatedPointerPayload(std::size_t bytes, int allocator);

namespace cufrt {
namespace {

// An object of a type before the program has set anything; never changed, nor given back.
struct Beginning {
  const void *type;
  size_t bytes;
  char *content() { return reinterpret_cast<char *>(this + 1); }
};

// A type whose place another one has is left to flang's runtime.
std::array<std::atomic<Beginning *>, 256> beginnings;

std::atomic<Beginning *> &placeOf(const void *type) {
  // The descriptions of types are aligned to at least 16 bytes and hundreds of bytes apart.
  auto address = reinterpret_cast<uintptr_t>(type);
  return beginnings[(address / 16 ^ address / 4096) % beginnings.size()];
}

void keep(const void *type, const CFI_cdesc_t &object) {
  std::atomic<Beginning *> &place = placeOf(type);
  if (place.load(std::memory_order_relaxed))
    return;
  auto *made = static_cast<Beginning *>(std::malloc(sizeof(Beginning) + object.elem_len));
  if (!made)
    return;
  *made = {type, object.elem_len};
  std::memcpy(made->content(), object.base_addr, object.elem_len);
  Beginning *none = nullptr;
  if (!place.compare_exchange_strong(none, made, std::memory_order_release,
                                     std::memory_order_relaxed))
    std::free(made);
}

} // namespace
} // namespace cufrt

// In the place of _FortranAPointerAllocate in host code.
extern "C" int cufrt_allocate_pointer(CFI_cdesc_t &pointer, bool hasStat,
                                      const CFI_cdesc_t *errorMessage, const char *file, int line,
                                      CufrtInitialise initialise) {
  using namespace cufrt;
  const void **type = pointer.rank == 0 && allocatorOf(pointer) == defaultAllocator && !initialise
                          ? dynamicTypeOf(pointer)
                          : nullptr;
  const bool isObject = type && *type;
  Beginning *known = isObject ? placeOf(*type).load(std::memory_order_acquire) : nullptr;
  if (known && known->type == *type && known->bytes == pointer.elem_len)
    if (void *object = AllocateValidatedPointerPayload(known->bytes, defaultAllocator)) {
      std::memcpy(object, known->content(), known->bytes);
      pointer.base_addr = object;
      return 0;
    }
  int status = _FortranAPointerAllocate(pointer, hasStat, errorMessage, file, line, initialise);
  if (status == 0 && isObject)
    keep(*type, pointer);
  return status;
}
