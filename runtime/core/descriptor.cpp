// Descriptors that kernels read, and the addresses of module variables on the device
// (flang/Runtime/CUDA/descriptor.h).
//
// A local array's descriptor lies in managed memory, which host and kernel share. A module
// variable's descriptor exists twice: the host works on its own and copies it over after each
// change.
#include "core/descriptor.h"
#include "core/allocators.h"
#include "core/default_stream.h"
#include "core/module_registry.h"
#include "core/section.h"

#include <cstring>

namespace cufrt {
namespace {

constexpr unsigned addendumFlag = 1;   // _CFI_ADDENDUM_FLAG
constexpr int allocatorShift = 1;      // _CFI_ALLOCATOR_IDX_SHIFT
constexpr unsigned allocatorMask = 14; // _CFI_ALLOCATOR_IDX_MASK
constexpr size_t addendumBytes = 16;   // the type's address and one length parameter

} // namespace

size_t descriptorBytes(const CFI_cdesc_t &descriptor) {
  size_t bytes = offsetof(CFI_cdesc_t, dim) + descriptor.rank * sizeof(CFI_dim_t);
  return bytes + (descriptor.extra & addendumFlag ? addendumBytes : 0);
}

void copyDescriptor(CFI_cdesc_t &to, const CFI_cdesc_t &from) {
  std::memcpy(static_cast<void *>(&to), &from, descriptorBytes(from));
}

const void **dynamicTypeOf(CFI_cdesc_t &descriptor) {
  if (!(descriptor.extra & addendumFlag))
    return nullptr;
  return reinterpret_cast<const void **>(reinterpret_cast<char *>(&descriptor) +
                                         offsetof(CFI_cdesc_t, dim) +
                                         descriptor.rank * sizeof(CFI_dim_t));
}

int allocatorOf(const CFI_cdesc_t &descriptor) {
  return static_cast<int>((descriptor.extra & allocatorMask) >> allocatorShift);
}

void setAllocator(CFI_cdesc_t &descriptor, int position) {
  unsigned kept = descriptor.extra & ~allocatorMask;
  descriptor.extra =
      static_cast<unsigned char>(kept | static_cast<unsigned>(position) << allocatorShift);
}

void syncIfGlobal(const CFI_cdesc_t &descriptor, Location where) {
  auto *shadow = const_cast<CFI_cdesc_t *>(&descriptor);
  if (findVariable(shadow))
    _FortranACUFSyncGlobalDescriptor(shadow, where.file, where.line);
}

} // namespace cufrt

using namespace cufrt;

extern "C" CFI_cdesc_t *_FortranACUFAllocDescriptor(size_t bytes, const char *file, int line) {
  void *pointer = nullptr;
  check(allocateMemory(&pointer, bytes, MemoryKind::managed), {file, line},
        "allocating a descriptor of %zu bytes", bytes);
  return static_cast<CFI_cdesc_t *>(pointer);
}

extern "C" void _FortranACUFFreeDescriptor(CFI_cdesc_t *descriptor, const char *file, int line) {
  if (descriptor)
    check(freeAutomatically(descriptor, MemoryKind::managed), {file, line}, "freeing a descriptor");
}

extern "C" void *_FortranACUFGetDeviceAddress(void *shadow, const char *file, int line) {
  const Device &device = api(); // first, since it places managed variables
  const cufrt_variable *variable = findVariable(shadow);
  if (variable && variable->kind == CUFRT_MANAGED_VARIABLE)
    return *static_cast<void **>(shadow);
  void *address = nullptr;
  check(device.cudaGetSymbolAddress(&address, shadow), {file, line},
        "finding the device address of variable %s", variable ? variable->name : "(unknown)");
  return address;
}

extern "C" void _FortranACUFDescriptorSync(CFI_cdesc_t *to, const CFI_cdesc_t *from,
                                           const char *file, int line) {
  Queue queue(threadStream());
  check(queue.finish(queue.copy(to, from, descriptorBytes(*from))), {file, line},
        "copying a descriptor to the device");
}

extern "C" void _FortranACUFSyncGlobalDescriptor(void *shadow, const char *file, int line) {
  void *device = _FortranACUFGetDeviceAddress(shadow, file, line);
  _FortranACUFDescriptorSync(static_cast<CFI_cdesc_t *>(device),
                             static_cast<const CFI_cdesc_t *>(shadow), file, line);
}

extern "C" void _FortranACUFDescriptorCheckSection(const CFI_cdesc_t *descriptor, const char *file,
                                                   int line) {
  if (descriptor && descriptor->base_addr && !isContiguous(sectionOf(*descriptor)))
    fatal(file, line, "the array section passed to a kernel is not contiguous");
}
