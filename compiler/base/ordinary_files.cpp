// See ordinary_files.h. What flang and LLVM open themselves comes here by lsp/ordinary_open.cpp.
#include "base/ordinary_files.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace {

constexpr int notOrdinary = EMEDIUMTYPE;

// /dev/null, which is an empty file to people (Documentation/admin-guide/devices.txt of Linux).
bool isNull(const struct stat &status) {
  return S_ISCHR(status.st_mode) && major(status.st_rdev) == 1 && minor(status.st_rdev) == 3;
}

bool isOrdinary(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 &&
         (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || isNull(status));
}

} // namespace

namespace cufc {

int openOrdinary(const char *path) {
  // Not to wait for a writer of a pipe.
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0 && errno == ENXIO) // a socket, or a device without a driver
    errno = notOrdinary;
  if (descriptor < 0 || isOrdinary(descriptor))
    return descriptor;
  close(descriptor);
  errno = notOrdinary;
  return -1;
}

std::string readFailure() {
  if (errno == notOrdinary)
    return "it is a pipe, a socket or a device, and no file";
  return std::strerror(errno);
}

} // namespace cufc
