// The memory that programs have allocated or registered on the host device.
//
// Told apart by kind, so that a pointer that can be freed is known from one that cannot, and an
// address that a copy takes for device memory from one of the host. A mutex guards the table.
#ifndef CUFRT_HOST_MEMORY_TABLE_H
#define CUFRT_HOST_MEMORY_TABLE_H

#include "cufrt/device.h"

#include <cstddef>

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

// Memory aligned as on a GPU: from the arena (host/arena.h) for device and managed memory, where
// that has room, else ordinary memory. Null if `bytes` is 0. The sum is bounded by the machine's
// memory, so that a request that no GPU could serve fails here too instead of being overcommitted.
Error allocate(void **pointer, size_t bytes, MemoryKind kind, unsigned flags = 0);

// Null is no error. Memory of another kind, or not allocated, is errorInvalidValue.
Error release(void *pointer, MemoryKind kind);
Error releaseDeviceMemory(void *pointer); // of kind device or managed

// Memory of the program's own. Fails if some of it is in the table.
Error registerMemory(void *pointer, size_t bytes, unsigned flags);
Error unregisterMemory(void *pointer);

// The entry that `pointer` points into, false if there is none.
bool findMemory(const void *pointer, Memory &memory);

// Where an address leads.
enum class Place {
  unknown, // memory that the program did not get from the device: ordinary host memory
  device,  // an allocation, pinned and managed ones too, or a module variable
  invalid, // of the device's addresses, but in no allocation: freed, or beyond the end of one
};

struct Range {
  Place place;
  size_t bytes; // from the address to the end of the allocation
};

Range rangeAt(const void *address);

// Fortran's words for an address `offset` bytes from the start of an allocation.
void describeOffset(ptrdiff_t offset, size_t bytes, bool isFreed, char *text, size_t capacity);

// "12 bytes past the end of an array of 4000 bytes", if an allocation is near. Takes no lock that a
// thread may hold while it faults.
bool describeDeviceAddress(const void *address, char *text, size_t capacity);

// Frees everything, pinned memory too; memory of the program's own is no longer registered.
void freeAllMemory();

} // namespace cufrt::host
#endif // CUFRT_HOST_MEMORY_TABLE_H
