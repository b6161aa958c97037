// Memory of the four kinds that CUDA Fortran knows, as flang's runtime and generated code ask for
// it.
//
// flang's runtime allocates through a registry of allocators; the compiler writes the allocator's
// position into the descriptor of each variable with a device, managed, unified or pinned
// attribute.
#ifndef CUFRT_CORE_ALLOCATORS_H
#define CUFRT_CORE_ALLOCATORS_H

#include "core/location.h"

#include <cstddef>
#include <cstdint>

namespace cufrt {

// The values of flang/Runtime/CUDA/common.h.
enum class MemoryKind : unsigned { device = 0, managed = 1, unified = 2, pinned = 3 };

// Positions in flang's registry, flang/Runtime/allocator-registry-consts.h.
enum AllocatorPosition : int {
  defaultAllocator = 0,
  pinnedAllocator = 1,
  deviceAllocator = 2,
  managedAllocator = 3,
  unifiedAllocator = 4,
};

// Device memory is allocated in the stream of this host thread if it has set one
// (default_stream.h), and freed in the stream it was allocated in.
Error allocateMemory(void **pointer, size_t bytes, MemoryKind kind);
Error freeMemory(void *pointer, MemoryKind kind);

// A stream is gone: what was allocated in it is freed like other memory.
void forgetAllocationsIn(void *stream);

// The error of this thread's last allocation through flang's registry, which itself can only say
// that there is no memory.
Error lastAllocationError();
void clearAllocationError();

// Around a DEALLOCATE statement. An error then ends the program with the statement's place, or, if
// the statement has STAT=, is kept for it.
class Deallocation {
public:
  Deallocation(Location where, bool hasStat);
  ~Deallocation();
  Deallocation(const Deallocation &) = delete;
  Deallocation &operator=(const Deallocation &) = delete;

  Error error() const { return failed; }

private:
  friend void failToFree(Error error);

  Location where;
  bool hasStat;
  Error failed = success;
};

// What the allocators do with an error.
void failToFree(Error error);

// For memory that generated code frees by itself. That there is no such allocation means that
// cudaDeviceReset has taken it, which is no fault of the program.
Error freeAutomatically(void *pointer, MemoryKind kind);

} // namespace cufrt
#endif // CUFRT_CORE_ALLOCATORS_H
