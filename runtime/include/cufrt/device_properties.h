// type(cudaDeviceProp) of module cudafor, as memory.
//
// The order, the kinds and the extents of the components here are those of the Fortran type, which
// is a sequence of integer(4), integer(8) and one character component with C's alignment. A change
// here is a change of the module. Sizes are in bytes, clock rates in kHz, the bus width in bits;
// flags are 0 or 1. What a device does not have is 0.
#ifndef CUFRT_DEVICE_PROPERTIES_H
#define CUFRT_DEVICE_PROPERTIES_H

#include <stdint.h>

#ifdef __cplusplus
namespace cufrt {
#endif

struct DeviceProperties {
  char name[256]; // padded with blanks, no NUL
  int64_t totalGlobalMem;
  int64_t sharedMemPerBlock;
  int32_t regsPerBlock;
  int32_t warpSize;
  int64_t memPitch;
  int32_t maxThreadsPerBlock;
  int32_t maxThreadsDim[3];
  int32_t maxGridSize[3];
  int32_t clockRate;
  int64_t totalConstMem;
  int32_t major;
  int32_t minor;
  int64_t textureAlignment;
  int64_t texturePitchAlignment;
  int32_t deviceOverlap;
  int32_t multiProcessorCount;
  int32_t kernelExecTimeoutEnabled;
  int32_t integrated;
  int32_t canMapHostMemory;
  int32_t computeMode;
  int32_t maxTexture1D;
  int32_t maxTexture1DMipmap;
  int32_t maxTexture1DLinear;
  int32_t maxTexture2D[2];
  int32_t maxTexture2DMipmap[2];
  int32_t maxTexture2DLinear[3];
  int32_t maxTexture2DGather[2];
  int32_t maxTexture3D[3];
  int32_t maxTexture3DAlt[3];
  int32_t maxTextureCubemap;
  int32_t maxTexture1DLayered[2];
  int32_t maxTexture2DLayered[3];
  int32_t maxTextureCubemapLayered[2];
  int32_t maxSurface1D;
  int32_t maxSurface2D[2];
  int32_t maxSurface3D[3];
  int32_t maxSurface1DLayered[2];
  int32_t maxSurface2DLayered[3];
  int32_t maxSurfaceCubemap;
  int32_t maxSurfaceCubemapLayered[2];
  int64_t surfaceAlignment;
  int32_t concurrentKernels;
  int32_t ECCEnabled;
  int32_t pciBusID;
  int32_t pciDeviceID;
  int32_t pciDomainID;
  int32_t tccDriver;
  int32_t asyncEngineCount;
  int32_t unifiedAddressing;
  int32_t memoryClockRate;
  int32_t memoryBusWidth;
  int32_t l2CacheSize;
  int32_t persistingL2CacheMaxSize;
  int32_t maxThreadsPerMultiProcessor;
  int32_t streamPrioritiesSupported;
  int32_t globalL1CacheSupported;
  int32_t localL1CacheSupported;
  int64_t sharedMemPerMultiprocessor;
  int32_t regsPerMultiprocessor;
  int32_t managedMemory;
  int32_t isMultiGpuBoard;
  int32_t multiGpuBoardGroupID;
  int32_t hostNativeAtomicSupported;
  int32_t singleToDoublePrecisionPerfRatio;
  int32_t pageableMemoryAccess;
  int32_t concurrentManagedAccess;
  int32_t computePreemptionSupported;
  int32_t canUseHostPointerForRegisteredMem;
  int32_t cooperativeLaunch;
  int32_t cooperativeMultiDeviceLaunch;
  int64_t sharedMemPerBlockOptin;
  int32_t pageableMemoryAccessUsesHostPageTables;
  int32_t directManagedMemAccessFromHost;
  int32_t maxBlocksPerMultiProcessor;
  int32_t accessPolicyMaxWindowSize;
  int64_t reservedSharedMemPerBlock;
  int32_t hostRegisterSupported;
  int32_t sparseCudaArraySupported;
  int32_t memoryPoolsSupported;
  int32_t clusterLaunch;
  int32_t hostRegisterReadOnlySupported;
  int32_t timelineSemaphoreInteropSupported;
  int32_t gpuDirectRDMASupported;
  int32_t gpuDirectRDMAFlushWritesOptions;
  int32_t gpuDirectRDMAWritesOrdering;
  int32_t memoryPoolSupportedHandleTypes;
  int32_t deferredMappingCudaArraySupported;
  int32_t ipcEventSupported;
  int32_t deviceNumaConfig;
  int32_t deviceNumaId;
  int32_t mpsEnabled;
  int32_t hostNumaId;
  int32_t gpuPciDeviceID;
  int32_t gpuPciSubsystemID;
  int32_t hostNumaMultinodeIpcSupported;
  int8_t uuid[16];
};

#ifdef __cplusplus
} // namespace cufrt
#endif
#endif // CUFRT_DEVICE_PROPERTIES_H
