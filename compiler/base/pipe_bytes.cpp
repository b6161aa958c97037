// read(2) and write(2), again after a signal.
#include "base/pipe_bytes.h"
#include <cerrno>
#include <unistd.h>

namespace cufc {

void tell(int pipe) {
  constexpr char byte = 1;
  if (pipe >= 0)
    while (write(pipe, &byte, 1) < 0 && errno == EINTR) {
    }
}

bool hear(int pipe) {
  char byte;
  ssize_t count;
  while ((count = read(pipe, &byte, 1)) < 0 && errno == EINTR) {
  }
  return count > 0;
}

} // namespace cufc
