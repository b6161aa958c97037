// The part of CUPTI's C interface that the report uses (cupti_activity.h, cupti_result.h of CUDA 11
// to 13), declared here since the runtime library is built without CUPTI's headers and takes the
// library that it finds. Of the records only the beginning is declared: since CUDA 8 new versions
// of a record (CUpti_ActivityKernel4 to 10, CUpti_ActivityMemcpy3 to 6, CUpti_ActivityMemset2 to 4)
// have added fields behind it. cuda/cupti_layout.cpp compares with the
// toolkit's headers.
#ifndef CUFRT_REPORT_CUPTI_H
#define CUFRT_REPORT_CUPTI_H

#include <cstddef>
#include <cstdint>

namespace cufrt::report::cupti {

using Result = int; // CUptiResult; 0 is success

// CUpti_ActivityKind.
enum Kind : uint32_t {
  kindCopy = 1,
  kindFill = 2,
  kindKernel = 3,
  kindDriverCall = 4,
  kindRuntimeCall = 5,
  kindConcurrentKernel = 10,
  kindPeerCopy = 22,
  kindExternalCorrelation = 39,
};

// CUpti_ActivityMemcpyKind; an array counts as device memory.
enum CopyKind : uint8_t {
  copyHostToDevice = 1,
  copyDeviceToHost = 2,
  copyHostToArray = 3,
  copyArrayToHost = 4,
  copyArrayToArray = 5,
  copyArrayToDevice = 6,
  copyDeviceToArray = 7,
  copyDeviceToDevice = 8,
  copyHostToHost = 9,
  copyPeerToPeer = 10,
};

struct KernelRecord {
  uint32_t kind, settings[3];
  uint64_t start, end, completed; // nanoseconds; 0 where unknown
  uint32_t device, context, stream;
  int32_t grid[3], block[3];
  int32_t staticShared, dynamicShared;
  uint32_t localPerThread, localTotal;
  uint32_t correlation;
  int64_t gridNumber;
  const char *name; // as in the GPU code
};

struct CopyRecord {
  uint32_t kind;
  uint8_t copyKind, sourceKind, targetKind, flags;
  uint64_t bytes;
  uint64_t start, end;
  uint32_t device, context, stream;
  uint32_t correlation;
};

struct PeerCopyRecord {
  uint32_t kind;
  uint8_t copyKind, sourceKind, targetKind, flags;
  uint64_t bytes;
  uint64_t start, end;
  uint32_t device, context, stream;
  uint32_t sourceDevice, sourceContext, targetDevice, targetContext;
  uint32_t correlation;
};

struct FillRecord {
  uint32_t kind;
  uint32_t value;
  uint64_t bytes;
  uint64_t start, end;
  uint32_t device, context, stream;
  uint32_t correlation;
};

struct ExternalRecord {
  uint32_t kind;
  uint32_t externalKind;
  uint64_t external;
  uint32_t correlation;
};

inline constexpr uint32_t externalCustom = 3; // CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0
inline constexpr uint32_t flushForced = 1;    // CUPTI_ACTIVITY_FLAG_FLUSH_FORCED
inline constexpr uint32_t oldestVersion = 14; // of CUDA 11.1
inline constexpr size_t bufferAlignment = 8;  // ACTIVITY_RECORD_ALIGNMENT

using BufferRequested = void (*)(uint8_t **buffer, size_t *bytes, size_t *mostRecords);
using BufferCompleted = void (*)(void *context, uint32_t stream, uint8_t *buffer, size_t bytes,
                                 size_t validBytes);

// A row: a function's name behind "cupti", and its parameters. All return a Result.
#define CUFRT_CUPTI_FUNCTIONS(ROW)                                                                 \
  ROW(GetVersion, (uint32_t *version))                                                             \
  ROW(GetResultString, (Result result, const char **text))                                         \
  ROW(ActivityRegisterCallbacks, (BufferRequested requested, BufferCompleted completed))           \
  ROW(ActivityEnable, (uint32_t kind))                                                             \
  ROW(ActivityDisable, (uint32_t kind))                                                            \
  ROW(ActivityFlushAll, (uint32_t flag))                                                           \
  ROW(ActivityGetNextRecord, (uint8_t *buffer, size_t validBytes, void **record))                  \
  ROW(ActivityGetNumDroppedRecords, (void *context, uint32_t stream, size_t *dropped))             \
  ROW(ActivityPushExternalCorrelationId, (uint32_t kind, uint64_t number))                         \
  ROW(ActivityPopExternalCorrelationId, (uint32_t kind, uint64_t *number))

struct Functions {
#define CUFRT_ROW(name, parameters) Result(*name) parameters;
  CUFRT_CUPTI_FUNCTIONS(CUFRT_ROW)
#undef CUFRT_ROW
};

} // namespace cufrt::report::cupti
#endif // CUFRT_REPORT_CUPTI_H
