// Memory that host and device share on the host device: pinned, registered and managed memory.
// There is but one memory, so pinning only notes what a program may ask for later.
#include "host/functions.h"
#include "host/memory_table.h"
#include "host/variables.h"

namespace cufrt::host {
namespace {

constexpr unsigned hostAllocFlags = 0x07;    // portable, mapped, write-combined
constexpr unsigned hostRegisterFlags = 0x0f; // portable, mapped, I/O memory, read-only
constexpr unsigned mapped = 0x02;
constexpr int firstAdvice = 1, lastAdvice = 6; // cudaMemoryAdvise

bool isPinned(const void *pointer, Memory &memory) {
  return findMemory(pointer, memory) &&
         (memory.kind == MemoryKind::pinned || memory.kind == MemoryKind::registered);
}

bool isDevice(int device) { return device == 0 || device == cpuDevice; }

Error checkManaged(const void *pointer, size_t bytes) {
  Memory memory;
  bool managed = findMemory(pointer, memory) ? memory.kind == MemoryKind::managed
                                             : isManagedVariableAt(pointer);
  return managed && bytes > 0 && bytes <= rangeAt(pointer).bytes ? success : errorInvalidValue;
}

} // namespace

Error cudaHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  if (flags & ~hostAllocFlags)
    return errorInvalidValue;
  return allocate(pointer, bytes, MemoryKind::pinned, flags | mapped);
}

Error cudaFreeHost(void *pointer) { return release(pointer, MemoryKind::pinned); }

Error cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
  if (flags & ~hostRegisterFlags)
    return errorInvalidValue;
  return registerMemory(pointer, bytes, flags | mapped);
}

Error cudaHostUnregister(void *pointer) { return unregisterMemory(pointer); }

Error cudaHostGetFlags(unsigned *flags, void *pointer) {
  Memory memory;
  if (!flags || !isPinned(pointer, memory))
    return errorInvalidValue;
  *flags = memory.flags;
  return success;
}

Error cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
  Memory memory;
  if (!device || flags != 0 || !isPinned(host, memory))
    return errorInvalidValue;
  *device = host;
  return success;
}

Error pointerAttributes(PointerAttributes &attributes, const void *pointer) {
  auto *address = const_cast<void *>(pointer);
  Memory memory;
  if (!findMemory(pointer, memory)) {
    if (bytesOfVariableAt(pointer) == 0) {
      attributes = {unregisteredMemory, -2, nullptr, address}; // cudaInvalidDeviceId
      return success;
    }
    memory.kind = isManagedVariableAt(pointer) ? MemoryKind::managed : MemoryKind::device;
  }
  switch (memory.kind) {
  case MemoryKind::device:
    attributes = {deviceMemory, 0, address, nullptr};
    break;
  case MemoryKind::managed:
    attributes = {managedMemory, 0, address, address};
    break;
  case MemoryKind::pinned:
  case MemoryKind::registered:
    attributes = {hostMemory, 0, address, address};
    break;
  }
  return success;
}

Error prefetch(const void *pointer, size_t bytes, int device, void *stream) {
  if (!isStream(stream))
    return errorInvalidResourceHandle;
  return isDevice(device) ? checkManaged(pointer, bytes) : errorInvalidDevice;
}

Error advise(const void *pointer, size_t bytes, int advice, int device) {
  if (advice < firstAdvice || advice > lastAdvice)
    return errorInvalidValue;
  return isDevice(device) ? checkManaged(pointer, bytes) : errorInvalidDevice;
}

} // namespace cufrt::host
