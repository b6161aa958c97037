// Second entries of kernels, for arrays without gaps (compiler/codegen/gpu/packed_kernels.h): which
// launches may take them.
#include "cuda/back_end.h"
#include "cuda/host_runtime.h"
#include "flang/ISO_Fortran_binding.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace cufrt::cuda {
namespace {

constexpr uintptr_t vectorBytes = 16; // at whose multiples arrays begin
constexpr CFI_index_t mostStride = std::numeric_limits<int32_t>::max(); // bytes

// Those of a kernel, in the order in which they are tried.
using KernelEntries = std::vector<const cufrt_packed_kernel *>;

struct Entries {
  std::mutex mutex;
  std::unordered_map<const void *, KernelEntries> byStub;
  std::atomic<bool> any = false;
};

// Lives until the process ends, since destructors of the program may still launch.
Entries &entries() {
  static Entries *instance = new Entries;
  return *instance;
}

// The entries of a kernel are all registered at once, before it is launched.
const KernelEntries &findPacked(const void *stub) {
  static const KernelEntries none;
  Entries &all = entries();
  if (!all.any.load(std::memory_order_acquire))
    return none;
  std::lock_guard lock(all.mutex);
  auto found = all.byStub.find(stub);
  return found == all.byStub.end() ? none : found->second;
}

// libcudart knows an entry by the address of its record.
const void *keyOf(const cufrt_packed_kernel &kernel) { return &kernel; }

bool isAligned(const void *address) {
  return reinterpret_cast<uintptr_t>(address) % vectorBytes == 0;
}

bool haveSameStrides(const CFI_cdesc_t &array, const CFI_cdesc_t &other) {
  for (int i = 0; i < array.rank; ++i)
    if (array.dim[i].sm != other.dim[i].sm)
      return false;
  return true;
}

bool haveSameBounds(const CFI_cdesc_t &array, const CFI_cdesc_t &other) {
  for (int i = 0; i < array.rank; ++i)
    if (array.dim[i].lower_bound != other.dim[i].lower_bound ||
        (i + 1 < array.rank && array.dim[i].extent != other.dim[i].extent))
      return false;
  return true;
}

// Optional arguments that are not there, and arrays of modules without memory.
bool isAbsent(const CFI_cdesc_t &array) { return array.version == 0 || !array.base_addr; }

const CFI_cdesc_t &descriptorOf(uint32_t number, void *const *arguments) {
  return *static_cast<const CFI_cdesc_t *>(arguments[number]);
}

bool hasSmallBounds(const CFI_cdesc_t &array) {
  constexpr CFI_index_t most = CFI_index_t(1) << 30;
  for (int i = 0; i < array.rank; ++i) {
    const CFI_dim_t &dimension = array.dim[i];
    if (dimension.lower_bound < -most || dimension.lower_bound > most ||
        dimension.extent > most - dimension.lower_bound)
      return false;
  }
  return true;
}

bool isPacked(const cufrt_packed_argument &wanted, void *const *arguments) {
  if (!wanted.element_bytes)
    return isAligned(*static_cast<void *const *>(arguments[wanted.number]));
  const CFI_cdesc_t &array = descriptorOf(wanted.number, arguments);
  if (isAbsent(array) && wanted.same_shape_as < 0)
    return true;
  if (array.dim[0].sm != static_cast<CFI_index_t>(wanted.element_bytes) ||
      !isAligned(array.base_addr) ||
      ((wanted.flags & CUFRT_SMALL_BOUNDS) && !hasSmallBounds(array)))
    return false;
  for (int i = 0; i < array.rank; ++i)
    if ((wanted.space_dimensions >> i & 1) && array.dim[i].extent != CUFRT_SPACE_EXTENT)
      return false;
  for (int i = 1; i < array.rank; ++i) {
    CFI_index_t stride = array.dim[i].sm;
    if (stride < 0 || stride > mostStride ||
        (wanted.stride_multiple && stride % static_cast<CFI_index_t>(wanted.stride_multiple) != 0))
      return false;
  }
  if (wanted.same_shape_as < 0)
    return true;
  const CFI_cdesc_t &other = descriptorOf(wanted.same_shape_as, arguments);
  return (!(wanted.flags & CUFRT_SAME_STRIDES) || haveSameStrides(array, other)) &&
         (!(wanted.flags & CUFRT_SAME_BOUNDS) || haveSameBounds(array, other));
}

struct Range {
  const char *begin, *end;
};

// From the first to the last byte of an array without negative strides.
Range rangeOf(const CFI_cdesc_t &array) {
  const char *begin = static_cast<const char *>(array.base_addr);
  CFI_index_t last = 0;
  for (int i = 0; i < array.rank; ++i) {
    if (array.dim[i].extent <= 0)
      return {begin, begin};
    last += (array.dim[i].extent - 1) * array.dim[i].sm;
  }
  return {begin, begin + last + static_cast<CFI_index_t>(array.elem_len)};
}

bool overlap(const CFI_cdesc_t &one, const CFI_cdesc_t &other) {
  if (isAbsent(one) || isAbsent(other))
    return false;
  const Range a = rangeOf(one), b = rangeOf(other);
  return a.begin < b.end && b.begin < a.end;
}

// Whether arrays overlap that the entry takes to be apart: most entries have none with other names.
bool mixesArrays(const cufrt_packed_kernel &kernel, void *const *arguments) {
  const cufrt_packed_argument *end = kernel.arrays + kernel.array_count;
  for (const cufrt_packed_argument *one = kernel.arrays; one != end; ++one) {
    if (!(one->flags & CUFRT_MAY_ALIAS) || !one->element_bytes)
      continue;
    for (const cufrt_packed_argument *other = kernel.arrays; other != end; ++other)
      if (other != one && ((one->flags | other->flags) & CUFRT_WRITTEN) && other->element_bytes &&
          overlap(descriptorOf(one->number, arguments), descriptorOf(other->number, arguments)))
        return true;
  }
  return false;
}

bool isPacked(const cufrt_packed_kernel &kernel, void *const *arguments) {
  return std::all_of(kernel.arrays, kernel.arrays + kernel.array_count,
                     [&](auto &array) { return isPacked(array, arguments); }) &&
         !mixesArrays(kernel, arguments);
}

// A graph launches later, with the arrays that the module will have then.
bool isCaptured(const Launch &launch) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaError_t error = cudaStreamIsCapturing(static_cast<cudaStream_t>(launch.stream), &status);
  if (error != cudaSuccess)
    cudaGetLastError(); // of another thread's capture
  return error != cudaSuccess || status != cudaStreamCaptureStatusNone;
}

// The descriptors of module data behind the kernel's own arguments.
void **withVariables(const cufrt_packed_kernel &kernel, void *const *arguments,
                     PackedArguments &storage) {
  void **end = std::copy_n(arguments, kernel.own_count, storage.begin());
  std::transform(kernel.variables, kernel.variables + kernel.variable_count, end,
                 [](const void *variable) { return const_cast<void *>(variable); });
  return storage.data();
}

} // namespace

void registerPacked(void **handle, const cufrt_packed_kernel *kernels, uint64_t count) {
  Entries &all = entries();
  std::lock_guard lock(all.mutex);
  for (uint64_t i = 0; i < count; ++i) {
    const cufrt_packed_kernel &kernel = kernels[i];
    __cudaRegisterFunction(handle, static_cast<const char *>(keyOf(kernel)),
                           const_cast<char *>(kernel.name), kernel.name, -1, nullptr, nullptr,
                           nullptr, nullptr, nullptr);
    all.byStub[kernel.stub].push_back(&kernel);
  }
  if (count)
    all.any.store(true, std::memory_order_release);
}

// How many blocks of a cooperative launch or of a cluster fit, programs ask of the kernel itself.
void takePackedEntry(Launch &launch, PackedArguments &storage) {
  if (launch.cooperative || launch.cluster[0])
    return;
  const KernelEntries &candidates = findPacked(launch.stub);
  if (candidates.empty())
    return;
  void **arguments = launch.arguments;
  if (const cufrt_packed_kernel &any = *candidates.front(); any.variable_count) { // the same in all
    if (isCaptured(launch))
      return;
    arguments = withVariables(any, arguments, storage);
  }
  auto chosen = std::find_if(candidates.begin(), candidates.end(),
                             [&](auto *kernel) { return isPacked(*kernel, arguments); });
  if (chosen == candidates.end())
    return;
  launch.stub = keyOf(**chosen);
  launch.arguments = arguments;
}

Error setFunctionAttribute(const void *stub, int attribute, int value) {
  auto which = static_cast<cudaFuncAttribute>(attribute);
  cudaError_t error = cudaFuncSetAttribute(stub, which, value);
  for (const cufrt_packed_kernel *packed : findPacked(stub))
    if (error == cudaSuccess)
      error = cudaFuncSetAttribute(keyOf(*packed), which, value);
  return error;
}

Error setFunctionCacheConfig(const void *stub, int config) {
  auto which = static_cast<cudaFuncCache>(config);
  cudaError_t error = cudaFuncSetCacheConfig(stub, which);
  for (const cufrt_packed_kernel *packed : findPacked(stub))
    if (error == cudaSuccess)
      error = cudaFuncSetCacheConfig(keyOf(*packed), which);
  return error;
}

} // namespace cufrt::cuda
