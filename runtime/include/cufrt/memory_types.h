// The structures of the CUDA runtime that describe memory, with its layouts: module cudafor passes
// its own types of the same layout, and the CUDA back end casts to libcudart's. They are declared
// here because the runtime library must build without a toolkit. Opaque handles are void *.
#ifndef CUFRT_MEMORY_TYPES_H
#define CUFRT_MEMORY_TYPES_H

#include <cstddef>

namespace cufrt {

// cudaChannelFormatDesc: bits of each component of an array's element, and a cudaChannelFormatKind.
struct ChannelFormat {
  int x, y, z, w;
  int kind;
};

// cudaExtent. The width is in elements where a CUDA array is concerned, else in bytes.
struct Extent {
  size_t width, height, depth;
};

// cudaPos, in the same units.
struct Position {
  size_t x, y, z;
};

// cudaPitchedPtr: rows of `xsize` bytes that start `pitch` bytes apart, `ysize` of them a slice.
struct PitchedPointer {
  void *address;
  size_t pitch, xsize, ysize;
};

// cudaMemcpy3DParms. Of each side, either the array or the pointer is set.
struct BlockCopy {
  void *sourceArray;
  Position sourcePosition;
  PitchedPointer source;
  void *targetArray;
  Position targetPosition;
  PitchedPointer target;
  Extent extent;
  int kind; // a CopyKind
};

// The fields of cudaPointerAttributes that all toolkits have.
struct PointerAttributes {
  int type; // a MemoryType
  int device;
  void *devicePointer; // null if kernels cannot use the memory
  void *hostPointer;   // null if the host cannot
};

// cudaMemoryType.
enum MemoryType : int {
  unregisteredMemory = 0,
  hostMemory = 1,
  deviceMemory = 2,
  managedMemory = 3,
};

inline constexpr int cpuDevice = -1; // cudaCpuDeviceId

} // namespace cufrt
#endif // CUFRT_MEMORY_TYPES_H
