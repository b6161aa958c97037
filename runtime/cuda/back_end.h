// The operations of the CUDA back end that are more than a call of libcudart.
#ifndef CUFRT_CUDA_BACK_END_H
#define CUFRT_CUDA_BACK_END_H

#include "cufrt/abi.h"
#include "cufrt/device.h"

#include <array>

// Found by core through weak symbols.
extern "C" const cufrt::Device *cufrt_cuda_device();
extern "C" cufrt::Error cufrt_cuda_pop_configuration(cufrt::Launch *launch);

namespace cufrt::cuda {

Error launch(const Launch &launch);
Error getProperties(DeviceProperties &properties, int device);
Error getFunctionAttributes(FunctionAttributes &attributes, const void *stub);
Error pointerAttributes(PointerAttributes &attributes, const void *pointer);
Error prefetch(const void *pointer, size_t bytes, int device, void *stream);
Error advise(const void *pointer, size_t bytes, int advice, int device);
void registerModule(cufrt_module &module);
void unregisterAtExit(void **handle);

// packed_kernels.cpp: second entries of kernels. A launch that may take the one of its kernel takes
// it, and if it has more arguments finds them in the storage.
using PackedArguments = std::array<void *, CUFRT_PACKED_ARGUMENTS>;
void registerPacked(void **handle, const cufrt_packed_kernel *kernels, uint64_t count);
void takePackedEntry(Launch &launch, PackedArguments &storage);
Error setFunctionAttribute(const void *stub, int attribute, int value);
Error setFunctionCacheConfig(const void *stub, int config);
Error placeManagedVariables(cufrt_module &module);

// heap.cpp: the device's heap gets the size that kernels with local arrays and temporaries of
// unknown size may need, before the first launch on each device, if any module has such.
void wantHeap();
void prepareHeap();

} // namespace cufrt::cuda
#endif // CUFRT_CUDA_BACK_END_H
