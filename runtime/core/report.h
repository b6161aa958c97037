// The report that CUF_REPORT=1 asks for: at its end the program says on stderr which device it ran
// on, and for each kernel how often it was launched and how long it took.
//
// The times are those between two events around each launch in its stream, so launches stay
// asynchronous and streams overlap as without a report. On the host device events are readings of a
// clock. Launches that a stream captures for a graph, and those after an error that nobody has
// asked for, are counted and not timed. All functions may be called from any thread.
#ifndef CUFRT_CORE_REPORT_H
#define CUFRT_CORE_REPORT_H

#include "cufrt/device.h"

namespace cufrt {

// The device is chosen: what is printed at the end of the program is promised here.
void startReport();

// api().launch with events around it; gives its error, and leaves the last error as it would be
// without them.
Error launchWithReport(const Launch &launch);

// Waits for the kernels launched so far, takes their times and forgets all events, which
// cudaDeviceReset ends.
void collectReport();

} // namespace cufrt
#endif // CUFRT_CORE_REPORT_H
