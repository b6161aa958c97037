// See library_call.h.
#include "report/library_call.h"
#include "core/foreign_access.h"
#include "report/report.h"
#include "report/tallies.h"

namespace cufrt::report {

LibraryCall::LibraryCall(const char *module, const char *function)
    : work(libraryWork(module, function)), running(work), mark(work), start(clockReading()) {}

LibraryCall::~LibraryCall() {
  int64_t nanoseconds = clockReading() - start;
  note(work, nanoseconds);
  promiseAgain();
  const Device *device = deviceInUse();
  if (device && device->isHost && !running.wasCaptured())
    noteReplay(work, nanoseconds);
}

} // namespace cufrt::report
