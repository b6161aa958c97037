// Times of work on a GPU without a profiler: those between two events around it in its stream, so
// that streams overlap as without a report. What a stream captures for a graph, and what is
// submitted after an error that nobody has asked for, is counted and not timed. All functions may
// be called from any thread.
#ifndef CUFRT_REPORT_EVENTS_H
#define CUFRT_REPORT_EVENTS_H

#include "report/work.h"

namespace cufrt::report {

// An event before the work and one behind it. The last error stays as it would be without them.
class Bracket {
public:
  Bracket(const Device &device, void *stream);
  ~Bracket();
  Bracket(const Bracket &) = delete;
  Bracket &operator=(const Bracket &) = delete;
  // The work was submitted, with this error.
  void close(const Work &work, Error error);

private:
  const Device &device;
  void *stream;
  void *start = nullptr, *end = nullptr; // null if it is not timed
  int number = 0;                        // of the device
};

// Waits for all work submitted so far, takes its times and forgets all events, which
// cudaDeviceReset ends.
void collectEvents(const Device &device);

// In a child process, where nothing of the device works.
void forgetEvents();

} // namespace cufrt::report
#endif // CUFRT_REPORT_EVENTS_H
