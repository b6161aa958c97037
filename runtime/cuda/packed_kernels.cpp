// Second entries of kernels, for arrays without gaps (compiler/codegen/packed_kernels.h): which
// launches may take them.
#include "cuda/back_end.h"
#include "cuda/host_runtime.h"
#include "flang/ISO_Fortran_binding.h"

#include <atomic>
#include <limits>
#include <mutex>
#include <unordered_map>

namespace cufrt::cuda {
namespace {

constexpr uintptr_t vectorBytes = 16; // at whose multiples arrays begin
constexpr CFI_index_t mostStride = std::numeric_limits<int32_t>::max(); // bytes

struct Entries {
  std::mutex mutex;
  std::unordered_map<const void *, const cufrt_packed_kernel *> byStub;
  std::atomic<bool> any = false;
};

// Lives until the process ends, since destructors of the program may still launch.
Entries &entries() {
  static Entries *instance = new Entries;
  return *instance;
}

const cufrt_packed_kernel *findPacked(const void *stub) {
  Entries &all = entries();
  if (!all.any.load(std::memory_order_acquire))
    return nullptr;
  std::lock_guard lock(all.mutex);
  auto found = all.byStub.find(stub);
  return found == all.byStub.end() ? nullptr : found->second;
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

bool isPacked(const cufrt_packed_argument &wanted, void *const *arguments) {
  if (!wanted.element_bytes)
    return isAligned(*static_cast<void *const *>(arguments[wanted.number]));
  const auto &array = *static_cast<const CFI_cdesc_t *>(arguments[wanted.number]);
  if (array.version == 0 && wanted.same_shape_as < 0)
    return true; // an optional one that is not there
  if (array.dim[0].sm != static_cast<CFI_index_t>(wanted.element_bytes) ||
      !isAligned(array.base_addr))
    return false;
  for (int i = 1; i < array.rank; ++i) {
    CFI_index_t stride = array.dim[i].sm;
    if (stride < 0 || stride > mostStride ||
        (wanted.stride_multiple && stride % static_cast<CFI_index_t>(wanted.stride_multiple) != 0))
      return false;
  }
  return wanted.same_shape_as < 0 ||
         haveSameStrides(array, *static_cast<const CFI_cdesc_t *>(arguments[wanted.same_shape_as]));
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
    all.byStub[kernel.stub] = &kernel;
  }
  if (count)
    all.any.store(true, std::memory_order_release);
}

// How many blocks of a cooperative launch or of a cluster fit, programs ask of the kernel itself.
const void *packedEntry(const Launch &launch) {
  const cufrt_packed_kernel *kernel =
      launch.cooperative || launch.cluster[0] ? nullptr : findPacked(launch.stub);
  if (!kernel)
    return nullptr;
  for (uint64_t i = 0; i < kernel->argument_count; ++i)
    if (!isPacked(kernel->arguments[i], launch.arguments))
      return nullptr;
  return keyOf(*kernel);
}

Error setFunctionAttribute(const void *stub, int attribute, int value) {
  auto which = static_cast<cudaFuncAttribute>(attribute);
  cudaError_t error = cudaFuncSetAttribute(stub, which, value);
  if (const cufrt_packed_kernel *packed = findPacked(stub); packed && error == cudaSuccess)
    error = cudaFuncSetAttribute(keyOf(*packed), which, value);
  return error;
}

Error setFunctionCacheConfig(const void *stub, int config) {
  auto which = static_cast<cudaFuncCache>(config);
  cudaError_t error = cudaFuncSetCacheConfig(stub, which);
  if (const cufrt_packed_kernel *packed = findPacked(stub); packed && error == cudaSuccess)
    error = cudaFuncSetCacheConfig(keyOf(*packed), which);
  return error;
}

} // namespace cufrt::cuda
