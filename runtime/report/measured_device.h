// The table of a device whose launches, copies and fills are measured for the report.
#ifndef CUFRT_REPORT_MEASURED_DEVICE_H
#define CUFRT_REPORT_MEASURED_DEVICE_H

#include "cufrt/device.h"

namespace cufrt::report {

// One device of a program. `device` lives as long as the program.
const Device &measuredDevice(const Device &device);

} // namespace cufrt::report
#endif // CUFRT_REPORT_MEASURED_DEVICE_H
