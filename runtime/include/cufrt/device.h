// The device that a program runs on: an NVIDIA GPU through libcudart, or the host device.
//
// The choice is made once, at the first use of the API or the first launch: `CUF_DEVICE=gpu` or
// `host` decides, otherwise a GPU is taken if the program carries GPU code and a device answers.
// Running on the host is announced once on stderr. All functions may be called from any thread.
#ifndef CUFRT_DEVICE_H
#define CUFRT_DEVICE_H

#include "cufrt/abi.h"
#include "cufrt/memory_types.h"

namespace cufrt {

// A cudaError_t. The values are those of the CUDA runtime on both back ends.
using Error = int;

inline constexpr Error success = 0;
inline constexpr Error errorInvalidValue = 1;
inline constexpr Error errorMemoryAllocation = 2;
inline constexpr Error errorInvalidConfiguration = 9;
inline constexpr Error errorInvalidPitchValue = 12;
inline constexpr Error errorInvalidSymbol = 13;
inline constexpr Error errorInvalidChannelDescriptor = 20;
inline constexpr Error errorInvalidMemcpyDirection = 21;
inline constexpr Error errorInsufficientDriver = 35;
inline constexpr Error errorDuplicateVariableName = 43;
inline constexpr Error errorInvalidDeviceFunction = 98;
inline constexpr Error errorNoDevice = 100;
inline constexpr Error errorInvalidDevice = 101;
inline constexpr Error errorUnsupportedLimit = 215;
inline constexpr Error errorPeerAccessUnsupported = 217;
inline constexpr Error errorInvalidResourceHandle = 400;
inline constexpr Error errorIllegalState = 401;
inline constexpr Error errorNotReady = 600;
inline constexpr Error errorIllegalAddress = 700;
inline constexpr Error errorLaunchOutOfResources = 701;
inline constexpr Error errorPeerAccessNotEnabled = 705;
inline constexpr Error errorHostMemoryAlreadyRegistered = 712;
inline constexpr Error errorHostMemoryNotRegistered = 713;
inline constexpr Error errorHardwareStackError = 714;
inline constexpr Error errorLaunchFailure = 719;
inline constexpr Error errorNotSupported = 801;
inline constexpr Error errorStreamCaptureUnsupported = 900;
inline constexpr Error errorStreamCaptureInvalidated = 901;
inline constexpr Error errorStreamCaptureMerge = 902;
inline constexpr Error errorStreamCaptureUnmatched = 903;
inline constexpr Error errorStreamCaptureUnjoined = 904;
inline constexpr Error errorStreamCaptureIsolation = 905;
inline constexpr Error errorStreamCaptureImplicit = 906;
inline constexpr Error errorCapturedEvent = 907;
inline constexpr Error errorStreamCaptureWrongThread = 908;

// cudaMemcpyKind.
enum CopyKind : int {
  hostToHost = 0,
  hostToDevice = 1,
  deviceToHost = 2,
  deviceToDevice = 3,
  copyDefault = 4,
};

struct Launch {
  const void *stub; // key of the kernel, see cufrt_kernel
  // Blocks. A component of -1 is flang's value for `*`: as many as run at the same time.
  int64_t grid[3];
  int64_t block[3];   // threads
  int64_t cluster[3]; // blocks; all zero if not asked for
  size_t dynamicSharedBytes;
  void *stream;
  bool cooperative;
  void **arguments; // one address for each kernel argument
};

// type(cudaDeviceProp) of module cudafor: the same fields in the same order, so that it can be
// filled in place (cufrt/device_properties.h).
struct DeviceProperties;

// type(cudaFuncAttributes) of module cudafor, and the start of CUDA's structure of that name.
struct FunctionAttributes {
  int64_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int32_t maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
  int32_t maxDynamicSharedSizeBytes, preferredShmemCarveout;
};

// A cudaIpcMemHandle_t or cudaIpcEventHandle_t.
struct IpcHandle {
  char bytes[64];
};

// One back end: a table of CUDA runtime functions and the few operations whose C signature depends
// on the toolkit's version.
struct Device {
  bool isHost;
#define CUFRT_API(name, parameters) Error(*name) parameters;
#include "cufrt/api.def"
#undef CUFRT_API
  Error (*launch)(const Launch &launch);
  Error (*getProperties)(DeviceProperties &properties, int device);
  Error (*getFunctionAttributes)(FunctionAttributes &attributes, const void *stub);
  Error (*pointerAttributes)(PointerAttributes &attributes, const void *pointer);
  // cudaMemPrefetchAsync and cudaMemAdvise; `device` is a device number or `cpuDevice`.
  Error (*prefetch)(const void *pointer, size_t bytes, int device, void *stream);
  Error (*advise)(const void *pointer, size_t bytes, int advice, int device);
  const char *(*errorName)(Error error);   // "cudaErrorNoDevice"
  const char *(*errorString)(Error error); // one sentence
  void (*registerModule)(cufrt_module &module);
  // Sets the pointer at `shadow` of each managed variable of a registered module.
  Error (*placeManagedVariables)(cufrt_module &module);
};

// The device of this program. The first call chooses it; ends the program with a message if
// CUF_DEVICE asks for what is not there.
const Device &api();

// The two back ends. `cudaDevice` returns null where the program was linked without libcudart.
const Device &hostDevice();
const Device *cudaDevice();

// Ends the program with "file:line: message" on stderr and exit status 1; `file` may be null.
[[noreturn]] void fatal(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Says the same of a mistake with which the program can go on.
void warn(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

} // namespace cufrt
#endif // CUFRT_DEVICE_H
