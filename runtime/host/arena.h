// The address space of device memory on the host device, where mistakes with addresses are noticed
// instead of being undefined.
//
// A range of addresses is reserved once. Each allocation gets pages of its own there and ends just
// before some that nobody can access. What is freed becomes inaccessible, and its addresses are
// handed out again only when the whole range has been used. An allocation is accessible only while
// a kernel or a function of the runtime uses it: its first access then faults, and the handler
// (host/fault.cpp) opens it; when no kernel and no function runs any more, all are closed again, as
// long as that takes next to no time. So host code that uses a device address by mistake faults, as
// it does with a GPU.
//
// All functions may be called from any thread; a mutex guards the regions.
#ifndef CUFRT_HOST_ARENA_H
#define CUFRT_HOST_ARENA_H

#include <cstddef>

namespace cufrt::host {

enum class HostAccess { denied, allowed };

// Memory aligned as cudaMalloc's, zero at first. Null if the setting CUF_HOST_PROTECT turns the
// arena off, there are no addresses left or there are too many allocations: the caller then takes
// ordinary memory.
void *allocateInArena(size_t bytes, HostAccess access);

// The address is one that allocateInArena returned and is not freed yet.
void freeInArena(void *start);

bool isInArena(const void *address);

// All addresses that it may have, from the first allocation on.
struct ArenaRange {
  const char *begin, *end;
};
ArenaRange arenaRange();

// Whether no function of the runtime, no library and no host code has used the allocation at this
// address, as far as can be seen: each use begins with a fault.
bool isUsedByKernelsAlone(const void *address);

// What a live or freed allocation says about an address in or near it: "12 bytes past the end of an
// array of 4000 bytes". False if there is none.
bool describeArenaAddress(const void *address, char *text, size_t capacity);

// While one lives, this thread may use device memory.
class DeviceWork {
public:
  DeviceWork();
  ~DeviceWork();
  DeviceWork(const DeviceWork &) = delete;
  DeviceWork &operator=(const DeviceWork &) = delete;
};

bool isInDeviceWork();

// Programs that are built to find mistakes: from now on device memory is closed after each kernel.
// Otherwise it stays open while closing has taken more than a small part of the time.
void closeAtAnyCost();

// For the handler of faults: makes the allocation at this address accessible. False if there is
// none, or if that cannot be why the access failed.
bool openDeviceMemory(const void *address);

// Keeps the allocation at this address open, for code that is not the runtime's, until letClose is
// called as often. False if there is none, or the arena is off.
bool holdOpen(const void *address);
void letClose(const void *address);

// For the handler of faults, in any thread: kernels of OpenBLAS (cgemv_n, zdotc with a stride) load
// an element behind the last one of an array and do not use it, its tall tiles up to 16 kB. Makes
// what lies behind an allocation that is held open readable until it is let close. False if that
// cannot be why the access failed, as when it writes.
bool openBehindHeld(const void *address);

// For a function that is about to use the memory anyway; saves the fault.
inline void expectAccess(const void *address) {
  if (isInArena(address))
    openDeviceMemory(address);
}

} // namespace cufrt::host
#endif // CUFRT_HOST_ARENA_H
