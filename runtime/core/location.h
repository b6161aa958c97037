// A place in the Fortran source, as flang passes it to every entry point, and the check that turns
// a failed call of the device into a message with that place.
#ifndef CUFRT_CORE_LOCATION_H
#define CUFRT_CORE_LOCATION_H

#include "cufrt/device.h"

namespace cufrt {

struct Location {
  const char *file; // may be null
  int line;
};

// Ends the program unless `error` is success. `format` says what was tried: "copying 8 bytes".
void check(Error error, Location where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

} // namespace cufrt
#endif // CUFRT_CORE_LOCATION_H
