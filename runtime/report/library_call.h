// A call of a CUDA library, measured for the report while it lives: by the clock; on a GPU the
// profiler's records of what the device does for it are added.
#ifndef CUFRT_REPORT_LIBRARY_CALL_H
#define CUFRT_REPORT_LIBRARY_CALL_H

#include "report/profiler.h"
#include "report/work.h"

namespace cufrt::report {

class LibraryCall {
public:
  // Both names live as long as the program.
  LibraryCall(const char *module, const char *function);
  ~LibraryCall();
  LibraryCall(const LibraryCall &) = delete;
  LibraryCall &operator=(const LibraryCall &) = delete;

private:
  Work work;
  Running running;
  profiler::Mark mark;
  int64_t start;
};

} // namespace cufrt::report
#endif // CUFRT_REPORT_LIBRARY_CALL_H
