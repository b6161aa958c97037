// A handler of SIGSEGV and SIGBUS, installed by the first launch. A fault outside kernels goes to
// the handler that was there before. Only write() and _exit() are called from it.
#include "host/fault.h"

#include <csignal>
#include <cstring>
#include <unistd.h>

namespace cufrt::host {
namespace {

thread_local const cufrt_kernel *running = nullptr;
struct sigaction previousSegv, previousBus;

void say(const char *text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0)
    _exit(1);
}

void onFault(int signal, siginfo_t *, void *) {
  if (running) {
    say("cufrt: kernel ");
    say(running->display);
    say(" used an invalid address: an index out of bounds, or memory that is not the device's\n");
    _exit(1);
  }
  sigaction(signal, signal == SIGBUS ? &previousBus : &previousSegv, nullptr); // and fault again
}

bool install() {
  struct sigaction action{};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  return sigaction(SIGSEGV, &action, &previousSegv) == 0 &&
         sigaction(SIGBUS, &action, &previousBus) == 0;
}

} // namespace

FaultScope::FaultScope(const cufrt_kernel &kernel) {
  [[maybe_unused]] static const bool installed = install();
  running = &kernel;
}

FaultScope::~FaultScope() { running = nullptr; }

} // namespace cufrt::host
