// Allocation and release of device and managed memory.
//
// The array forms get the descriptor of the caller's allocatable or pointer itself and leave its
// allocator in place, so that `deallocate` releases what cudaMalloc allocated. A descriptor of
// module data has a copy on the device for kernels; it is brought up to date here.
#include "core/descriptor.h"
#include "cudafor/arguments.h"
#include "cudafor/entries.h"

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace cufrt::cudafor {
namespace {

// A pointer may point to something else before; what that is, is no concern of an allocation.
bool canAllocate(const CFI_cdesc_t *array) {
  bool isFree = !array->base_addr || array->attribute == CFI_attribute_pointer;
  return isFree && array->elem_len > 0;
}

// Dimensions that are not given get the extent 1.
void setBounds(CFI_cdesc_t &array, std::initializer_list<size_t> extents) {
  size_t stride = array.elem_len;
  for (int i = 0; i < array.rank; ++i) {
    size_t number = static_cast<size_t>(i);
    size_t extent = number < extents.size() ? extents.begin()[number] : 1;
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
  setBounds(*array, {elements});
  syncIfGlobal(*array, {nullptr, 0});
  return success;
}

template <typename Allocate>
Error allocateAddress(void **address, const CFI_cdesc_t *count, Allocate allocate) {
  size_t elements, bytes;
  return address && bytesOf(count, 1, elements, bytes) ? allocate(address, bytes) : invalidValue();
}

auto streamAllocator(void *stream) {
  return [stream](void **address, size_t bytes) {
    return api().cudaMallocAsync(address, bytes, stream);
  };
}

auto managedAllocator(const int *flags) {
  constexpr unsigned attachGlobal = 1;
  unsigned chosen = flags ? static_cast<unsigned>(*flags) : attachGlobal;
  return [chosen](void **address, size_t bytes) {
    return api().cudaMallocManaged(address, bytes, chosen);
  };
}

// The device chooses a pitch in bytes. An element whose size does not divide it, as that of a
// character of length 3, cannot be laid out so; the memory is then given back.
Error setPitched(CFI_cdesc_t &array, size_t pitchBytes, const CFI_cdesc_t *pitch, size_t columns,
                 size_t slices) {
  size_t padded = pitchBytes / array.elem_len;
  bool divides = padded * array.elem_len == pitchBytes;
  if (!divides || (pitch && !storeInteger(pitch, static_cast<int64_t>(padded)))) {
    api().cudaFree(array.base_addr);
    array.base_addr = nullptr;
    return invalidValue();
  }
  setBounds(array, {padded, columns, slices});
  syncIfGlobal(array, {nullptr, 0});
  return success;
}

template <typename Free>
Error freeArray(CFI_cdesc_t *array, Free free) {
  if (!array->base_addr)
    return invalidValue();
  if (Error error = free(array->base_addr))
    return error;
  array->base_addr = nullptr;
  syncIfGlobal(*array, {nullptr, 0});
  return success;
}

auto streamFree(void *stream) {
  return [stream](void *address) { return api().cudaFreeAsync(address, stream); };
}

} // namespace
} // namespace cufrt::cudafor

using namespace cufrt::cudafor;
using cufrt::api;

extern "C" {

int cufrt_f_cudaMalloc_allocatable(CFI_cdesc_t *devptr, const CFI_cdesc_t *count) {
  return allocateArray(devptr, count, api().cudaMalloc);
}

int cufrt_f_cudaMalloc_devptr(void **devptr, const CFI_cdesc_t *count) {
  return allocateAddress(devptr, count, api().cudaMalloc);
}

int cufrt_f_cudaMallocAsync_allocatable(CFI_cdesc_t *devptr, const CFI_cdesc_t *count,
                                        const CFI_cdesc_t *stream) {
  void *handle;
  return streamHandle(stream, handle) ? allocateArray(devptr, count, streamAllocator(handle))
                                      : invalidValue();
}

int cufrt_f_cudaMallocAsync_devptr(void **devptr, const CFI_cdesc_t *count,
                                   const CFI_cdesc_t *stream) {
  void *handle;
  return streamHandle(stream, handle) ? allocateAddress(devptr, count, streamAllocator(handle))
                                      : invalidValue();
}

int cufrt_f_cudaMallocManaged_allocatable(CFI_cdesc_t *devptr, const CFI_cdesc_t *count,
                                          const int *flags) {
  return allocateArray(devptr, count, managedAllocator(flags));
}

int cufrt_f_cudaMallocManaged_devptr(void **devptr, const CFI_cdesc_t *count, const int *flags) {
  return allocateAddress(devptr, count, managedAllocator(flags));
}

int cufrt_f_cudaMallocManaged_ptr(void **devptr, const CFI_cdesc_t *count, const int *flags) {
  return allocateAddress(devptr, count, managedAllocator(flags));
}

int cufrt_f_cudaMallocPitch_allocatable(CFI_cdesc_t *devptr, const CFI_cdesc_t *pitch,
                                        const CFI_cdesc_t *width, const CFI_cdesc_t *height) {
  size_t columnElements, columnBytes, columns, pitchBytes = 0;
  if (!canAllocate(devptr) || devptr->rank != 2 ||
      !bytesOf(width, devptr->elem_len, columnElements, columnBytes) || !sizeValue(height, columns))
    return invalidValue();
  devptr->base_addr = nullptr;
  if (cufrt::Error error =
          api().cudaMallocPitch(&devptr->base_addr, &pitchBytes, std::max<size_t>(columnBytes, 1),
                                std::max<size_t>(columns, 1)))
    return error;
  return setPitched(*devptr, pitchBytes, pitch, columns, 1);
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

int cufrt_f_cudaMalloc3D_allocatable(CFI_cdesc_t *pitchptr, cufrt::Extent *cext) {
  cufrt::Extent bytes;
  cufrt::PitchedPointer pitched{};
  if (!canAllocate(pitchptr) || pitchptr->rank != 3 || !cext ||
      !multiply(cext->width, pitchptr->elem_len, bytes.width))
    return invalidValue();
  bytes = {std::max<size_t>(bytes.width, 1), std::max<size_t>(cext->height, 1),
           std::max<size_t>(cext->depth, 1)};
  if (cufrt::Error error = api().cudaMalloc3D(&pitched, &bytes))
    return error;
  pitchptr->base_addr = pitched.address;
  return setPitched(*pitchptr, pitched.pitch, nullptr, cext->height, cext->depth);
}

int cufrt_f_cudaMalloc3D_pitched(cufrt::PitchedPointer *pitchptr, cufrt::Extent *cext) {
  return pitchptr && cext ? api().cudaMalloc3D(pitchptr, cext) : invalidValue();
}

int cufrt_f_cudaFree_allocatable(CFI_cdesc_t *devptr) { return freeArray(devptr, api().cudaFree); }

// An array without the attribute cannot become deallocated; its address may be that of an
// allocation.
int cufrt_f_cudaFree_array(CFI_cdesc_t *devptr) {
  return devptr->base_addr ? api().cudaFree(devptr->base_addr) : invalidValue();
}

int cufrt_f_cudaFree_devptr(void **devptr) {
  return devptr ? api().cudaFree(*devptr) : invalidValue();
}

int cufrt_f_cudaFreeAsync_allocatable(CFI_cdesc_t *devptr, const CFI_cdesc_t *stream) {
  void *handle;
  return streamHandle(stream, handle) ? freeArray(devptr, streamFree(handle)) : invalidValue();
}

int cufrt_f_cudaFreeAsync_array(CFI_cdesc_t *devptr, const CFI_cdesc_t *stream) {
  void *handle;
  return devptr->base_addr && streamHandle(stream, handle) ? streamFree(handle)(devptr->base_addr)
                                                           : invalidValue();
}

int cufrt_f_cudaFreeAsync_devptr(void **devptr, const CFI_cdesc_t *stream) {
  void *handle;
  return devptr && streamHandle(stream, handle) ? streamFree(handle)(*devptr) : invalidValue();
}
}
