// flang and LLVM open included files and module files themselves. The linker puts the function
// below in the place of open (--wrap in CMakeLists.txt), so that a name in a workspace that leads
// to a pipe or a device is refused there too.
#include "base/ordinary_files.h"
#include <cstdarg>
#include <fcntl.h>
#include <sys/types.h>

extern "C" int realOpen(const char *path, int flags, ...) __asm__("__real_open");
extern "C" int ourOpen(const char *path, int flags, ...) __asm__("__wrap_open");

// What says that it will not wait, or wants more than to read, is as it was.
extern "C" __attribute__((used)) int ourOpen(const char *path, int flags, ...) {
  if ((flags & (O_ACCMODE | O_NONBLOCK | O_PATH | O_DIRECTORY | O_CREAT)) == O_RDONLY) {
    int descriptor = cufc::openOrdinary(path);
    if (descriptor >= 0)
      fcntl(descriptor, F_SETFD, flags & O_CLOEXEC ? FD_CLOEXEC : 0);
    return descriptor;
  }
  mode_t mode = 0;
  if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) {
    va_list more;
    va_start(more, flags);
    mode = va_arg(more, mode_t);
    va_end(more);
  }
  return realOpen(path, flags, mode);
}
