// What the report of CUF_REPORT=1 says of calls of libraries and of the program's own ranges
// (NVTX): how often, and how long they took on the host. A call that only puts work into a stream
// of a GPU takes the time of that.
#ifndef CUFRT_CORE_REPORT_CALLS_H
#define CUFRT_CORE_REPORT_CALLS_H

#include <cstdint>
#include <string>

namespace cufrt {

// Nanoseconds of a clock that only goes on.
int64_t clockReading();

// `kind` is a title of the report: "library call" or "range". Any thread may call it.
void noteCall(const char *kind, const std::string &name, int64_t nanoseconds);

// The tables, those that took longest first; empty if there was no call.
std::string tablesOfCalls();

} // namespace cufrt
#endif // CUFRT_CORE_REPORT_CALLS_H
