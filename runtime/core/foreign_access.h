// What a library that knows nothing of the runtime, such as MPI, needs to be handed device memory:
// where an address leads, and access to it for as long as the library works on it.
#ifndef CUFRT_CORE_FOREIGN_ACCESS_H
#define CUFRT_CORE_FOREIGN_ACCESS_H

namespace cufrt {

struct Device;

enum class Home {
  host,    // pinned memory too
  managed, // used by host and device
  device,
};

struct MemoryPlace {
  Home home;
  int device; // its number, where home is not host
};

// Neither chooses a device nor makes a context: a rank may ask before it has chosen its own.
MemoryPlace placeOf(const void *address);

// Whether it is host memory that is pinned (still: cudaDeviceReset takes it).
bool isPinned(const void *address);

// The device of this program, or null while nothing has been asked of one.
const Device *deviceInUse();

// On the host device, from now on any code, of other processes too, may use the allocation at this
// address. False if that needs no permission, or if there is none; else a call of endAccess
// follows.
bool beginAccess(const void *address);
void endAccess(const void *address);

} // namespace cufrt
#endif // CUFRT_CORE_FOREIGN_ACCESS_H
