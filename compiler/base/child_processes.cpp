// See child_processes.h. A table of atomics, since a handler may neither lock nor allocate. A
// process that finds no place in it goes on by itself, as it would without the table.
#include "base/child_processes.h"
#include <array>
#include <atomic>
#include <csignal>
#include <unistd.h>

namespace cufc {
namespace {

std::array<std::atomic<int>, 256> children; // 0: free
static_assert(std::atomic<int>::is_always_lock_free);

// The signal comes again when this one returns, with what it does by default.
void endAll(int number) {
  for (std::atomic<int> &child : children)
    if (int process = child.load(); process > 0)
      kill(process, SIGTERM);
  raise(number);
}

} // namespace

void endChildrenWithUs() {
  for (int number : {SIGTERM, SIGHUP, SIGINT}) {
    struct sigaction now{};
    if (sigaction(number, nullptr, &now) != 0 || now.sa_handler != SIG_DFL)
      continue; // ignored, as under nohup
    now.sa_handler = endAll;
    now.sa_flags = SA_RESETHAND;
    sigaction(number, &now, nullptr);
  }
}

void endWithUs(int process) {
  if (process < 1)
    return;
  for (std::atomic<int> &child : children)
    if (int nobody = 0; child.compare_exchange_strong(nobody, process))
      return;
}

void hasEnded(int process) {
  if (process < 1)
    return;
  for (std::atomic<int> &child : children)
    if (int expected = process; child.compare_exchange_strong(expected, 0))
      return;
}

void forgetChildren() {
  for (std::atomic<int> &child : children)
    child = 0;
}

} // namespace cufc
