// The rows of the report, behind one mutex, which no function of the device is called under. A
// process that forks begins anew in the child.
#ifndef CUFRT_REPORT_TALLIES_H
#define CUFRT_REPORT_TALLIES_H

#include "report/data.h"
#include "report/work.h"

#include <string>
#include <vector>

namespace cufrt::report {

// Work that went well and was not captured; `nanoseconds` is negative if it could not be measured.
void note(const Work &work, int64_t nanoseconds);

// A kernel or transfer that was submitted, and its time when that is known.
void noteSubmitted(const Work &work);
void noteTime(const Work &work, int64_t nanoseconds);

// A launch that went well has so many threads, or an unknown number if it is negative.
void noteLaunch(const void *stub, int64_t threads);

// A node of a graph has run.
void noteReplay(const Work &work, int64_t nanoseconds);

// What a profiler saw on the device. `libraryCall` is the number of the call's name, or negative.
void noteDeviceKernel(const std::string &symbol, int libraryCall, int64_t nanoseconds);
void noteDeviceTransfer(const Work &work, int libraryCall, int64_t nanoseconds);

// The number of a library function's name, for noteDeviceKernel.
int numberOfLibraryCall(const Work &work);

// The name that the program gives a kernel, or empty if it is none of the program's.
std::string displayOfSymbol(const std::string &symbol);

// A range of the program; the path has the names of the ranges around it before its own, each
// ended by rangeSeparator.
inline constexpr char rangeSeparator = '\x1f';
void noteRange(const std::string &path, int64_t nanoseconds);
void noteMark(const std::string &name);

// A device on which something was done, for the first line of the report.
void noteDevice(int number);
std::vector<int> devicesOfReport();

// Puts the rows into `data`, those that took longest first.
void takeRows(Data &data);

// Whether anything was counted.
bool hasRows();

// Forgets everything; for a child process.
void forgetRows();

} // namespace cufrt::report
#endif // CUFRT_REPORT_TALLIES_H
