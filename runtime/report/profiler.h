// Times of a GPU's work through CUPTI's activity records: kernels, also those that libraries and
// graphs run, copies and fills. libcupti is opened when a program with CUF_REPORT runs on a GPU,
// and never linked. All functions may be called from any thread.
#ifndef CUFRT_REPORT_PROFILER_H
#define CUFRT_REPORT_PROFILER_H

#include "report/work.h"

#include <string>

namespace cufrt::report::profiler {

// Whether records are made from now on; if not, `why` says why. Called once.
bool start(const Device &device, std::string &why);

bool isActive();

// While one lives, what this thread has the device do belongs to a transfer or a library call.
class Mark {
public:
  explicit Mark(const Work &work);
  ~Mark();
  Mark(const Mark &) = delete;
  Mark &operator=(const Mark &) = delete;

private:
  bool isPushed = false;
};

// Waits for the devices' work and adds what is recorded to the report.
void collect(const Device &device);

// No more records, at the end of the program.
void stop();

// Records that CUPTI could not keep.
size_t lostRecords();

// In a child process CUPTI must not be called.
void forget();

} // namespace cufrt::report::profiler
#endif // CUFRT_REPORT_PROFILER_H
