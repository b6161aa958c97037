// Memory of fixed-size device data: local arrays and scalars with a device, managed, unified or
// pinned attribute (flang/Runtime/CUDA/memory.h).
#include "core/allocators.h"
#include "core/location.h"

using namespace cufrt;

extern "C" void *_FortranACUFMemAlloc(size_t bytes, unsigned kind, const char *file, int line) {
  // A zero-sized array is never touched, but it needs an address that can be passed and freed.
  void *pointer = nullptr;
  Error error = allocateMemory(&pointer, bytes ? bytes : 1, static_cast<MemoryKind>(kind));
  check(error, {file, line}, "allocating %zu bytes of device memory", bytes);
  return pointer;
}

extern "C" void _FortranACUFMemFree(void *pointer, unsigned kind, const char *file, int line) {
  if (pointer)
    check(freeAutomatically(pointer, static_cast<MemoryKind>(kind)), {file, line},
          "freeing device memory");
}

// The same for cufc's own lowering (compiler/lower/device_storage.cpp).
extern "C" void *cufrt_allocate_variable(int64_t bytes, int32_t kind, const char *file,
                                         int32_t line) {
  return _FortranACUFMemAlloc(static_cast<size_t>(bytes > 0 ? bytes : 0),
                              static_cast<unsigned>(kind), file, line);
}

extern "C" void cufrt_free_variable(void *pointer, int32_t kind, const char *file, int32_t line) {
  _FortranACUFMemFree(pointer, static_cast<unsigned>(kind), file, line);
}
