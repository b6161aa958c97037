// NVTX itself, which a profiler loads into the program, behind a table: its header defines
// functions with the names that this library gives programs. Without a toolkit there is no
// profiler, and the functions do nothing.
#ifndef CUFRT_LIBRARIES_NVTX_TOOL_H
#define CUFRT_LIBRARIES_NVTX_TOOL_H

#include <cstdint>

struct cufrt_nvtx_event;

namespace cufrt::nvtx {

using Event = const cufrt_nvtx_event *;

struct Tool {
  void (*initialize)(const void *);
  int (*push)(Event);
  int (*pop)();
  uint64_t (*start)(Event);
  void (*end)(uint64_t);
  void (*mark)(Event);
  void (*nameCategory)(uint32_t, const char *);
  void (*nameThread)(uint32_t, const char *);
  void *(*createDomain)(const char *);
  void (*destroyDomain)(void *);
  void *(*registerString)(void *, const char *);
  void (*nameDomainCategory)(void *, uint32_t, const char *);
  void (*markDomain)(void *, Event);
  int (*pushDomain)(void *, Event);
  int (*popDomain)(void *);
  uint64_t (*startDomain)(void *, Event);
  void (*endDomain)(void *, uint64_t);
};

// Null without a toolkit.
const Tool *tool();

} // namespace cufrt::nvtx
#endif // CUFRT_LIBRARIES_NVTX_TOOL_H
