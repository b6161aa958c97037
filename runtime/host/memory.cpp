// Allocation of device and managed memory on the host device: ordinary memory.
#include "core/module_registry.h"
#include "host/functions.h"
#include "host/memory_table.h"

namespace cufrt::host {
namespace {

constexpr size_t pitchUnit = 512;                    // of cudaMallocPitch on current GPUs
constexpr unsigned attachGlobal = 1, attachHost = 2; // cudaMemAttach*

} // namespace

Error cudaMalloc(void **pointer, size_t bytes) {
  return allocate(pointer, bytes, MemoryKind::device);
}

Error cudaFree(void *pointer) { return releaseDeviceMemory(pointer); }

Error cudaMallocAsync(void **pointer, size_t bytes, void *stream) {
  return isStream(stream) ? cudaMalloc(pointer, bytes) : errorInvalidResourceHandle;
}

Error cudaFreeAsync(void *pointer, void *stream) {
  if (!isStream(stream))
    return errorInvalidResourceHandle;
  return cudaFree(pointer);
}

Error cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  if (!pointer || !pitch)
    return errorInvalidValue;
  if (width > physicalMemory())
    return errorMemoryAllocation;
  *pitch = (width + pitchUnit - 1) / pitchUnit * pitchUnit;
  if (height && *pitch > physicalMemory() / height)
    return errorMemoryAllocation;
  return cudaMalloc(pointer, *pitch * height);
}

Error cudaMalloc3D(PitchedPointer *pointer, const Extent *extent) {
  size_t rows;
  if (!pointer || !extent)
    return errorInvalidValue;
  if (__builtin_mul_overflow(extent->height, extent->depth, &rows))
    return errorMemoryAllocation;
  *pointer = {nullptr, 0, extent->width, extent->height};
  return cudaMallocPitch(&pointer->address, &pointer->pitch, extent->width, rows);
}

Error cudaMallocManaged(void **pointer, size_t bytes, unsigned flags) {
  // As on a GPU, an empty managed allocation is an error where an empty device allocation is not.
  if (bytes == 0 || (flags != attachGlobal && flags != attachHost))
    return errorInvalidValue;
  return allocate(pointer, bytes, MemoryKind::managed);
}

Error cudaGetSymbolAddress(void **pointer, const void *symbol) {
  const cufrt_variable *variable = findVariable(symbol);
  if (!pointer)
    return errorInvalidValue;
  if (!variable || !variable->host_storage)
    return errorInvalidSymbol;
  *pointer = variable->host_storage;
  return success;
}

} // namespace cufrt::host
