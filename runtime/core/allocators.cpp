// See allocators.h. Memory that was allocated on a stream is freed on that stream; the table of
// such pointers is guarded by a mutex.
#include "core/allocators.h"
#include "core/default_stream.h"
#include "core/foreign_access.h"
#include "core/program_options.h"
#include "report/work.h"

#include <cstdlib>
#include <flang/Version.inc>
#include <mutex>
#include <unordered_map>

namespace Fortran::runtime {

// flang does not install the header of its allocator registry (flang-rt/runtime/
// allocator-registry.h); what is used of it is declared here with the same names.
// NOLINTBEGIN(readability-identifier-naming)
struct Allocator_t {
#if FLANG_VERSION_MAJOR >= 23
  void *(*allocate)(std::size_t bytes, std::size_t alignment, std::int64_t *stream);
#else
  void *(*allocate)(std::size_t bytes, std::int64_t *stream);
#endif
  void (*free)(void *pointer);
};

struct AllocatorRegistry {
  void Register(int position, Allocator_t allocator);
};

extern AllocatorRegistry allocatorRegistry;
// NOLINTEND(readability-identifier-naming)

} // namespace Fortran::runtime

namespace cufrt {
namespace {

constexpr unsigned attachGlobal = 1;      // cudaMemAttachGlobal
constexpr Error errorCudartUnloading = 4; // the process is ending and took the memory along
thread_local Error allocationError = success;
thread_local Deallocation *deallocation = nullptr; // the statement that this thread runs

struct StreamTable {
  std::mutex mutex;
  std::unordered_map<void *, void *> streamOf;
};

StreamTable &streamTable() {
  static StreamTable *instance = new StreamTable;
  return *instance;
}

void rememberStream(void *pointer, void *stream) {
  std::lock_guard lock(streamTable().mutex);
  streamTable().streamOf[pointer] = stream;
}

bool takeStream(void *pointer, void *&stream) {
  std::lock_guard lock(streamTable().mutex);
  auto found = streamTable().streamOf.find(pointer);
  if (found == streamTable().streamOf.end())
    return false;
  stream = found->second;
  streamTable().streamOf.erase(found);
  return true;
}

void *lookUpStream(void *pointer) {
  std::lock_guard lock(streamTable().mutex);
  auto found = streamTable().streamOf.find(pointer);
  return found == streamTable().streamOf.end() ? nullptr : found->second;
}

Error allocateInStream(void **pointer, size_t bytes, void *stream) {
  report::OriginScope origin(report::Origin::assignment);
  Error error = api().cudaMallocAsync(pointer, bytes, stream);
  if (error == success)
    rememberStream(*pointer, stream);
  if (error == success && zeroesDeviceMemory())
    error = api().cudaMemsetAsync(*pointer, 0, bytes, stream);
  return error;
}

// A failure to set it is reported as one to allocate it; the memory is gone then.
Error zeroed(Error error, void **pointer, size_t bytes) {
  if (error != success || !zeroesDeviceMemory())
    return error;
  report::OriginScope origin(report::Origin::assignment);
  error = api().cudaMemset(*pointer, 0, bytes);
  if (error != success)
    api().cudaFree(*pointer);
  return error;
}

// All memory that CUDA hands out is aligned to 256 bytes; flang wants no more than 64.
template <MemoryKind kind>
#if FLANG_VERSION_MAJOR >= 23
void *allocateForFlang(std::size_t bytes, std::size_t, std::int64_t *stream) {
#else
void *allocateForFlang(std::size_t bytes, std::int64_t *stream) {
#endif
  void *pointer = nullptr;
  if (kind == MemoryKind::device && stream)
    allocationError = allocateInStream(&pointer, bytes, reinterpret_cast<void *>(*stream));
  else
    allocationError = allocateMemory(&pointer, bytes, kind);
  return allocationError == success ? pointer : nullptr;
}

template <MemoryKind kind>
void freeForFlang(void *pointer) {
  Error error = freeMemory(pointer, kind);
  if (error != success && error != errorCudartUnloading)
    failToFree(error);
}

template <MemoryKind kind>
void registerAllocator(AllocatorPosition position) {
  Fortran::runtime::allocatorRegistry.Register(position,
                                               {allocateForFlang<kind>, freeForFlang<kind>});
}

} // namespace

void forgetAllocationsIn(void *stream) {
  std::lock_guard lock(streamTable().mutex);
  std::erase_if(streamTable().streamOf, [&](const auto &entry) { return entry.second == stream; });
}

void failToFree(Error error) {
  if (deallocation && deallocation->hasStat)
    deallocation->failed = error;
  else
    check(error, deallocation ? deallocation->where : Location{nullptr, 0}, "freeing memory");
}

Deallocation::Deallocation(Location where, bool hasStat) : where(where), hasStat(hasStat) {
  deallocation = this;
}

Deallocation::~Deallocation() { deallocation = nullptr; }

Error allocateMemory(void **pointer, size_t bytes, MemoryKind kind) {
  switch (kind) {
  case MemoryKind::device:
    return threadStream() ? allocateInStream(pointer, bytes, threadStream())
                          : zeroed(api().cudaMalloc(pointer, bytes), pointer, bytes);
  case MemoryKind::managed:
  case MemoryKind::unified:
    return zeroed(api().cudaMallocManaged(pointer, bytes, attachGlobal), pointer, bytes);
  case MemoryKind::pinned:
    return api().cudaHostAlloc(pointer, bytes, 0);
  }
  return errorInvalidValue;
}

Error freeMemory(void *pointer, MemoryKind kind) {
  forgetStreamOf(pointer);
  void *stream = nullptr;
  if (kind == MemoryKind::device && takeStream(pointer, stream))
    return api().cudaFreeAsync(pointer, stream);
  return kind == MemoryKind::pinned ? api().cudaFreeHost(pointer) : api().cudaFree(pointer);
}

Error freeAutomatically(void *pointer, MemoryKind kind) {
  Error error = freeMemory(pointer, kind);
  return error == errorInvalidValue || error == errorCudartUnloading ? success : error;
}

Error lastAllocationError() { return allocationError; }

void clearAllocationError() { allocationError = success; }

} // namespace cufrt

// Called by every object's constructor; registering twice changes nothing.
extern "C" void _FortranACUFRegisterAllocator() {
  using namespace cufrt;
  registerAllocator<MemoryKind::pinned>(pinnedAllocator);
  registerAllocator<MemoryKind::device>(deviceAllocator);
  registerAllocator<MemoryKind::managed>(managedAllocator);
  registerAllocator<MemoryKind::unified>(unifiedAllocator);
}

// What a function with an allocatable result has allocated: in managed memory with -gpu=managed, or
// in the host's if another compiler, or another option, made the function.
extern "C" void cufrt_free_result(void *pointer) {
  using namespace cufrt;
  if (placeOf(pointer).home == Home::host)
    std::free(pointer);
  else
    freeForFlang<MemoryKind::managed>(pointer);
}

// The stream that `allocate(..., stream=)` named for this memory, or the default stream.
extern "C" void *_FortranACUFGetAssociatedStream(void *pointer) {
  return cufrt::lookUpStream(pointer);
}
