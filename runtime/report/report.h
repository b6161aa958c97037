// The report that CUF_REPORT asks for: when it ends, the program says which device it ran on, and
// how often kernels, transfers, calls of libraries and ranges of its own happened and how long they
// took. As text or as one line of JSON, on stderr or in a file. Only settings().report calls these.
#ifndef CUFRT_REPORT_REPORT_H
#define CUFRT_REPORT_REPORT_H

#include "cufrt/device.h"

namespace cufrt::report {

// The device is chosen: promises the report and gives the device to use in its place.
const Device &start(const Device &device);

// Work was begun. Handlers of the program's end run in reverse order, so that the report comes
// before those of what the first work started.
void promiseAgain();

// Takes the times of what is under way; for cudaDeviceReset, which ends all events.
void collect();

// Reports now; for ends of the program that no handler sees. Later calls do nothing.
void finish();

// The same before a call that ends all processes of the program: returns when a launcher that reads
// stderr through a pipe has taken the report, or after two seconds.
void finishBeforeAbort();

} // namespace cufrt::report
#endif // CUFRT_REPORT_REPORT_H
