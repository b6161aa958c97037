// The functions of libcudart that nvcc's generated code calls. Their header (crt/host_runtime.h) is
// only for that code, so they are declared here; the signatures have not changed since CUDA 9. So
// are the profiler's, whose header is a package of its own that a toolkit may lack.
#ifndef CUFRT_CUDA_HOST_RUNTIME_H
#define CUFRT_CUDA_HOST_RUNTIME_H

#include <cuda_runtime_api.h>

extern "C" {
void **__cudaRegisterFatBinary(void *fatBinary);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *stub, char *name, const char *deviceName,
                            int threadLimit, uint3 *threadIndex, uint3 *blockIndex, dim3 *blockDim,
                            dim3 *gridDim, int *warpSize);
void __cudaRegisterVar(void **handle, char *shadow, char *name, const char *deviceName,
                       int isExternal, size_t bytes, int isConstant, int isGlobal);
void __cudaRegisterManagedVar(void **handle, void **pointer, char *name, const char *deviceName,
                              int isExternal, size_t bytes, int isConstant, int isGlobal);
char __cudaInitModule(void **handle);
cudaError_t __cudaPopCallConfiguration(dim3 *gridDim, dim3 *blockDim, size_t *sharedBytes,
                                       void *stream);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
}

#endif // CUFRT_CUDA_HOST_RUNTIME_H
