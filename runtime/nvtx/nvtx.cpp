// libnvToolsExt.a: the functions of NVTX, which programs declare themselves (`bind(c)`) and link
// with -lnvToolsExt. Toolkits before 13 had that library; newer ones have its functions in a header
// alone, of which no Fortran program can make use. They do nothing unless a profiler has loaded
// itself into the program, which the header finds out at the first call.
#if __has_include(<nvtx3/nvToolsExt.h>)

#define NVTX_EXPORT_API // functions that can be linked
#include <nvtx3/nvToolsExt.h>

#else // no toolkit, so no profiler either

#include <cstdint>

extern "C" {

constexpr int noTracking = -2; // NVTX_NO_PUSH_POP_TRACKING

int nvtxRangePushA(const char *) { return noTracking; }
int nvtxRangePushEx(const void *) { return noTracking; }
int nvtxRangePop() { return noTracking; }
uint64_t nvtxRangeStartA(const char *) { return 0; }
uint64_t nvtxRangeStartEx(const void *) { return 0; }
void nvtxRangeEnd(uint64_t) {}
void nvtxMarkA(const char *) {}
void nvtxMarkEx(const void *) {}
void nvtxNameCategoryA(uint32_t, const char *) {}
void nvtxNameOsThreadA(uint32_t, const char *) {}
void nvtxInitialize(const void *) {}
void *nvtxDomainCreateA(const char *) { return nullptr; }
void nvtxDomainDestroy(void *) {}
void *nvtxDomainRegisterStringA(void *, const char *) { return nullptr; }
void nvtxDomainNameCategoryA(void *, uint32_t, const char *) {}
void nvtxDomainMarkEx(void *, const void *) {}
int nvtxDomainRangePushEx(void *, const void *) { return noTracking; }
int nvtxDomainRangePop(void *) { return noTracking; }
uint64_t nvtxDomainRangeStartEx(void *, const void *) { return 0; }
void nvtxDomainRangeEnd(void *, uint64_t) {}

} // extern "C"

#endif
