// The memory that programs have allocated or registered on the host device.
//
// Told apart by kind, so that a pointer that can be freed is known from one that cannot, and an
// address that a copy takes for device memory from one of the host. A mutex guards the table.
#ifndef CUFRT_HOST_MEMORY_TABLE_H
#define CUFRT_HOST_MEMORY_TABLE_H

#include "cufrt/device.h"

namespace cufrt::host {

enum class MemoryKind { device, managed, pinned, registered };

struct Memory {
  char *address;
  size_t bytes;
  MemoryKind kind;
  unsigned flags; // of cudaHostAlloc or cudaHostRegister
};

size_t physicalMemory();
size_t allocatedBytes();

// Uninitialised memory, aligned as on a GPU. Null if `bytes` is 0. The sum is bounded by the
// machine's memory, so that a request that no GPU could serve fails here too instead of being
// overcommitted.
Error allocate(void **pointer, size_t bytes, MemoryKind kind, unsigned flags = 0);

// Null is no error. Memory of another kind, or not allocated, is errorInvalidValue.
Error release(void *pointer, MemoryKind kind);
Error releaseDeviceMemory(void *pointer); // of kind device or managed

// Memory of the program's own. Fails if some of it is in the table.
Error registerMemory(void *pointer, size_t bytes, unsigned flags);
Error unregisterMemory(void *pointer);

// The entry that `pointer` points into, false if there is none.
bool findMemory(const void *pointer, Memory &memory);

// Whether device code may use all `bytes` bytes from `pointer` on: they lie in one entry of the
// table or in one variable of a module.
bool isDeviceMemory(const void *pointer, size_t bytes);

// False if `pointer` points into an entry or a variable of a module, but not all `bytes` bytes do.
// Memory that is not known is the program's own.
bool isWithin(const void *pointer, size_t bytes);

} // namespace cufrt::host
#endif // CUFRT_HOST_MEMORY_TABLE_H
