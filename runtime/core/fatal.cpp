// The one way in which the runtime library gives up.
//
// The program ends through flang's runtime so that what it wrote to its Fortran units so far is not
// lost.
#include "cufrt/device.h"

#include <cstdarg>
#include <cstdio>

extern "C" [[noreturn]] void _FortranAExit(int status);

namespace cufrt {

void fatal(const char *file, int line, const char *format, ...) {
  // One write for the whole message, so that those of several processes do not mix.
  char message[2048];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  if (file && *file)
    std::fprintf(stderr, "%s:%d: %s\n", file, line, message);
  else
    std::fprintf(stderr, "cufrt: %s\n", message);
  _FortranAExit(1);
}

} // namespace cufrt
