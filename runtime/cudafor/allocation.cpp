// Allocation and release: device, managed and pinned memory.
//
// The array forms get the descriptor of the caller's allocatable itself and leave its allocator in
// place, so that `deallocate` releases what cudaMalloc allocated. A descriptor of module data has a
// copy on the device for kernels; it is brought up to date here.
#include "core/descriptor.h"
#include "cudafor/arguments.h"
#include "cudafor/entries.h"

#include <algorithm>
#include <limits>

namespace cufrt::cudafor {
namespace {

bool canAllocate(const CFI_cdesc_t *array) {
  return array && !array->base_addr && array->elem_len > 0;
}

void setBounds(CFI_cdesc_t &array, const size_t extents[2]) {
  size_t stride = array.elem_len;
  for (int i = 0; i < array.rank; ++i) {
    size_t extent = i < 2 ? extents[i] : 1;
    array.dim[i] = {1, static_cast<CFI_index_t>(extent), static_cast<CFI_index_t>(stride)};
    stride *= extent;
  }
}

// Descriptors count bytes with a sign, hence the limit.
bool bytesOf(const CFI_cdesc_t *count, size_t elementBytes, size_t &elements, size_t &bytes) {
  return sizeValue(count, elements) && multiply(elements, elementBytes, bytes) &&
         bytes <= static_cast<size_t>(std::numeric_limits<int64_t>::max());
}

// An array without elements is allocated too, hence at least a byte.
template <typename Allocate>
Error allocateArray(CFI_cdesc_t *array, const CFI_cdesc_t *count, Allocate allocate) {
  size_t elements, bytes;
  if (!canAllocate(array) || !bytesOf(count, array->elem_len, elements, bytes) ||
      (array->rank == 0 && elements != 1))
    return invalidValue();
  if (Error error = allocate(&array->base_addr, std::max<size_t>(bytes, 1))) {
    array->base_addr = nullptr;
    return error;
  }
  const size_t extents[2] = {elements, 1};
  setBounds(*array, extents);
  syncIfGlobal(*array, {nullptr, 0});
  return success;
}

template <typename Allocate>
Error allocateAddress(void **address, const CFI_cdesc_t *count, Allocate allocate) {
  size_t elements, bytes;
  return address && bytesOf(count, 1, elements, bytes) ? allocate(address, bytes) : invalidValue();
}

auto managedAllocator(const int *flags) {
  constexpr unsigned attachGlobal = 1;
  unsigned chosen = flags ? static_cast<unsigned>(*flags) : attachGlobal;
  return [chosen](void **address, size_t bytes) {
    return api().cudaMallocManaged(address, bytes, chosen);
  };
}

} // namespace
} // namespace cufrt::cudafor

using namespace cufrt::cudafor;
using cufrt::api;

extern "C" {

int cufrt_f_cudaMalloc_array(CFI_cdesc_t *devptr, const CFI_cdesc_t *count) {
  return allocateArray(devptr, count, api().cudaMalloc);
}

int cufrt_f_cudaMalloc_devptr(void **devptr, const CFI_cdesc_t *count) {
  return allocateAddress(devptr, count, api().cudaMalloc);
}

int cufrt_f_cudaMallocManaged_array(CFI_cdesc_t *devptr, const CFI_cdesc_t *count,
                                    const int *flags) {
  return allocateArray(devptr, count, managedAllocator(flags));
}

int cufrt_f_cudaMallocManaged_devptr(void **devptr, const CFI_cdesc_t *count, const int *flags) {
  return allocateAddress(devptr, count, managedAllocator(flags));
}

int cufrt_f_cudaMallocManaged_ptr(void **devptr, const CFI_cdesc_t *count, const int *flags) {
  return allocateAddress(devptr, count, managedAllocator(flags));
}

// The device chooses a pitch in bytes. An element whose size does not divide it, as that of a
// character of length 3, cannot be laid out so and is refused.
int cufrt_f_cudaMallocPitch_array(CFI_cdesc_t *devptr, const CFI_cdesc_t *pitch,
                                  const CFI_cdesc_t *width, const CFI_cdesc_t *height) {
  size_t columnElements, columnBytes, columns, pitchBytes = 0;
  if (!canAllocate(devptr) || devptr->rank != 2 ||
      !bytesOf(width, devptr->elem_len, columnElements, columnBytes) || !sizeValue(height, columns))
    return invalidValue();
  cufrt::Error error =
      api().cudaMallocPitch(&devptr->base_addr, &pitchBytes, std::max<size_t>(columnBytes, 1),
                            std::max<size_t>(columns, 1));
  size_t padded = pitchBytes / devptr->elem_len;
  bool divides = padded * devptr->elem_len == pitchBytes;
  if (error == cufrt::success && !(divides && storeInteger(pitch, static_cast<int64_t>(padded)))) {
    api().cudaFree(devptr->base_addr);
    error = invalidValue();
  }
  if (error != cufrt::success) {
    devptr->base_addr = nullptr;
    return error;
  }
  const size_t extents[2] = {padded, columns};
  setBounds(*devptr, extents);
  cufrt::syncIfGlobal(*devptr, {nullptr, 0});
  return cufrt::success;
}

int cufrt_f_cudaMallocPitch_devptr(void **devptr, const CFI_cdesc_t *pitch,
                                   const CFI_cdesc_t *width, const CFI_cdesc_t *height) {
  size_t columnBytes, columns, pitchBytes = 0;
  if (!devptr || !sizeValue(width, columnBytes) || !sizeValue(height, columns))
    return invalidValue();
  if (cufrt::Error error = api().cudaMallocPitch(devptr, &pitchBytes, columnBytes, columns))
    return error;
  if (storeInteger(pitch, static_cast<int64_t>(pitchBytes)))
    return cufrt::success;
  api().cudaFree(*devptr);
  *devptr = nullptr;
  return invalidValue();
}

int cufrt_f_cudaFree_array(CFI_cdesc_t *devptr) {
  if (!devptr || !devptr->base_addr)
    return invalidValue();
  if (cufrt::Error error = api().cudaFree(devptr->base_addr))
    return error;
  devptr->base_addr = nullptr;
  cufrt::syncIfGlobal(*devptr, {nullptr, 0});
  return cufrt::success;
}

int cufrt_f_cudaFree_devptr(void **devptr) {
  return devptr ? api().cudaFree(*devptr) : invalidValue();
}

int cufrt_f_cudaHostAlloc(void **hostptr, const CFI_cdesc_t *size, int flags) {
  return allocateAddress(hostptr, size, [flags](void **address, size_t bytes) {
    return api().cudaHostAlloc(address, bytes, static_cast<unsigned>(flags));
  });
}

int cufrt_f_cudaMallocHost(void **hostptr, const CFI_cdesc_t *size) {
  return cufrt_f_cudaHostAlloc(hostptr, size, 0);
}

int cufrt_f_cudaFreeHost(void **hostptr) {
  return hostptr ? api().cudaFreeHost(*hostptr) : invalidValue();
}
}
