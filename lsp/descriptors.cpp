// See descriptors.h.
#include "descriptors.h"
#include <array>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace cufc {
namespace {

bool canOpenThem() {
  std::array<int, neededDescriptors> opened;
  opened.fill(-1);
  bool all = true;
  for (int &descriptor : opened)
    descriptor = open("/", O_PATH | O_CLOEXEC);
  for (int descriptor : opened) {
    all &= descriptor >= 0;
    if (descriptor >= 0)
      close(descriptor);
  }
  return all;
}

} // namespace

bool hasDescriptors() {
  if (canOpenThem())
    return true;
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max)
    return false;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_NOFILE, &limit) == 0 && canOpenThem();
}

} // namespace cufc
