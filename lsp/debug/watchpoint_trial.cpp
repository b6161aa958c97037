// See watchpoint_trial.h. The registers are described in AMD64 Architecture Programmer's Manual,
// volume 2, 13.1.1, and Intel 64 and IA-32 Architectures Software Developer's Manual, 18.2.
#include "debug/watchpoint_trial.h"

#if defined(__x86_64__)
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cufc::debug {
namespace {

volatile int watched;

constexpr unsigned long isOn = 1, atStores = 1ul << 16, fourBytes = 3ul << 18;

// Until the child stops or ends; its status.
int waitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  return status;
}

bool setRegister(pid_t child, size_t number, unsigned long value) {
  return ptrace(PTRACE_POKEUSER, child, offsetof(user, u_debugreg) + number * sizeof value,
                value) == 0;
}

} // namespace

bool hardwareWatchpointsFire() {
  pid_t child = fork();
  if (child < 0)
    return true;
  if (child == 0) {
    // Only calls that are safe between fork and exec.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0)
      _exit(1);
    kill(getpid(), SIGSTOP);
    watched = 1;
    _exit(0);
  }
  int status = waitFor(child);
  if (!WIFSTOPPED(status))
    return true; // nothing may be traced
  bool fires = setRegister(child, 0, reinterpret_cast<unsigned long>(&watched)) &&
               setRegister(child, 7, isOn | atStores | fourBytes);
  if (fires && ptrace(PTRACE_CONT, child, nullptr, nullptr) == 0) {
    status = waitFor(child);
    fires = WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP;
  }
  if (WIFSTOPPED(status)) {
    kill(child, SIGKILL);
    waitFor(child);
  }
  return fires;
}

} // namespace cufc::debug

#else

namespace cufc::debug {

bool hardwareWatchpointsFire() { return true; }

} // namespace cufc::debug

#endif
