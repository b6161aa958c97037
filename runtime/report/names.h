// How directions and origins of transfers are called, in text and in JSON.
#ifndef CUFRT_REPORT_NAMES_H
#define CUFRT_REPORT_NAMES_H

#include "report/work.h"

namespace cufrt::report {

struct Name {
  const char *text, *key;
};

inline constexpr Name directionNames[] = {{"host to device", "hostToDevice"},
                                          {"device to host", "deviceToHost"},
                                          {"device to device", "deviceToDevice"},
                                          {"host to host", "hostToHost"},
                                          {"fill", "fill"}};

inline constexpr Name originNames[] = {{"cudaMemcpy", "call"},   {"assignment", "assignment"},
                                       {"MPI", "mpi"},           {"library", "library"},
                                       {"prefetch", "prefetch"}, {"other", "other"}};

constexpr Name nameOf(Direction direction) { return directionNames[static_cast<int>(direction)]; }
constexpr Name nameOf(Origin origin) { return originNames[static_cast<int>(origin)]; }

} // namespace cufrt::report
#endif // CUFRT_REPORT_NAMES_H
