// See location.h.
#include "core/location.h"

#include <cstdarg>
#include <cstdio>

namespace cufrt {

void check(Error error, Location where, const char *format, ...) {
  if (error == success)
    return;
  char what[512];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  fatal(where.file, where.line, "%s failed with %s: %s", what, api().errorName(error),
        api().errorString(error));
}

} // namespace cufrt
