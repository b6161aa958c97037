// See program_streams.h. We keep the terminal's other end open too: without it a program that ends
// would take what it wrote last along (EIO on Linux).
#include "debug/program_streams.h"
#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

namespace cufc::debug {

ProgramStreams::~ProgramStreams() {
  for (int descriptor : {master, slave, errorRead, errorWrite})
    if (descriptor >= 0)
      close(descriptor);
}

bool ProgramStreams::open() {
  master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  std::array<char, 256> path{};
  if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0 ||
      ptsname_r(master, path.data(), path.size()) != 0)
    return false;
  name = path.data();
  slave = ::open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  termios settings{};
  if (slave < 0 || tcgetattr(slave, &settings) != 0)
    return false;
  cfmakeraw(&settings); // no echo, and ends of lines as they are written
  settings.c_lflag |= ISIG;
  tcsetattr(slave, TCSANOW, &settings);
  std::array<int, 2> errors{};
  if (pipe2(errors.data(), O_CLOEXEC | O_NONBLOCK) != 0)
    return false;
  errorRead = errors[0];
  errorWrite = errors[1];
  fcntl(errorWrite, F_SETFL, fcntl(errorWrite, F_GETFL) & ~O_NONBLOCK); // the program's end waits
  return true;
}

bool ProgramStreams::receiveFrom(int descriptor, const char *category) {
  std::array<char, 16384> bytes;
  ssize_t count = descriptor >= 0 ? read(descriptor, bytes.data(), bytes.size()) : 0;
  if (count > 0)
    written(category, {bytes.data(), static_cast<size_t>(count)});
  return count > 0;
}

void ProgramStreams::receive() {
  constexpr int mostAtOnce = 64; // a program that never stops writing must leave us time
  bool more = true;
  for (int i = 0; more && i < mostAtOnce; ++i) {
    more = receiveFrom(errorRead, "stderr");
    more |= receiveFrom(master, "stdout");
  }
}

} // namespace cufc::debug
