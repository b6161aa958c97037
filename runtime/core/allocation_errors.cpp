// What ALLOCATE and DEALLOCATE of host data without STAT= say when they cannot be done
// (compiler/lower/allocation_checks.cpp).
#include "cufrt/abi.h"
#include "cufrt/device.h"

using cufrt::fatal;

extern "C" {

void cufrt_is_allocated(const char *file, int32_t line, const char *name) {
  fatal(file, line, "ALLOCATE: %s is already allocated", name);
}

void cufrt_no_memory(const char *file, int32_t line, const char *name, int64_t count) {
  if (count < 0)
    fatal(file, line, "ALLOCATE: %s would have more elements than can be counted", name);
  fatal(file, line, "ALLOCATE: there is not enough memory for %s, %lld elements", name,
        static_cast<long long>(count));
}

void cufrt_is_not_allocated(const char *file, int32_t line, const char *name) {
  fatal(file, line, "DEALLOCATE: %s is not allocated", name);
}
}
