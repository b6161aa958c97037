// The one way in which the runtime library gives up, and how it says what goes on.
//
// The program ends through flang's runtime so that what it wrote to its Fortran units so far is not
// lost.
#include "cufrt/debugger.h"
#include "cufrt/device.h"

#include <cstdarg>
#include <cstdio>

extern "C" [[noreturn]] void _FortranAExit(int status);

namespace cufrt {
namespace {

// One write for the whole message, so that those of several processes do not mix.
constexpr size_t mostBytes = 2048;

void say(char (&message)[mostBytes], const char *file, int line, const char *format,
         std::va_list arguments) {
  std::vsnprintf(message, sizeof message, format, arguments);
  if (file && *file)
    std::fprintf(stderr, "%s:%d: %s\n", file, line, message);
  else
    std::fprintf(stderr, "cufrt: %s\n", message);
}

} // namespace

void fatal(const char *file, int line, const char *format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  char message[mostBytes];
  say(message, file, line, format, arguments);
  va_end(arguments);
  cufrt_debugger_stop(message);
  _FortranAExit(1);
}

void warn(const char *file, int line, const char *format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  char message[mostBytes];
  say(message, file, line, format, arguments);
  va_end(arguments);
}

} // namespace cufrt
