// See fault.h. The handler of a kernel's fault notes what happened and jumps back into runGuarded;
// everything else is done there, outside the handler. Handlers run on a stack of their own, since a
// fault may mean that a thread's stack is used up.
#include "host/fault.h"
#include "core/floating_point_control.h"
#include "core/page_size.h"
#include "cufrt/debugger.h"
#include "host/arena.h"
#include "host/global_checks.h"
#include "host/memory_table.h"

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <pthread.h>
#include <unistd.h>
#include <utility>

namespace cufrt::host {
namespace {

// A trap is an illegal instruction on x86-64 and a breakpoint on aarch64, whose divisions by zero
// give 0.
#if defined(__aarch64__)
constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
#else
constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
#endif
constexpr int signalCount = sizeof signals / sizeof signals[0];
constexpr size_t handlerStackBytes = 65536; // the registers of AVX-512 take 3 KB of it
constexpr size_t overflowReach = 1 << 20;   // a frame that does not fit reaches so far below

struct sigaction previous[signalCount];

struct Guarded {
  sigjmp_buf environment;
  Fault fault;
};

thread_local Guarded *guarded = nullptr; // while blocks run on this thread
thread_local const char *stackEnd = nullptr;
thread_local bool inPreviousHandler = false;

struct sigaction &previousOf(int signal) {
  int i = 0;
  while (signals[i] != signal)
    ++i;
  return previous[i];
}

bool isOverflow(const void *address) {
  const char *at = static_cast<const char *>(address);
  return stackEnd && at < stackEnd + pageBytes && at + overflowReach > stackEnd;
}

// The signal comes again when the faulting instruction does; one that was sent is sent again.
void dieBySignal(int signal, bool wasSent) {
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);
  if (wasSent)
    raise(signal);
}

void callPrevious(int signal, siginfo_t *info, void *context) {
  const struct sigaction &action = previousOf(signal);
  bool isFunction = action.sa_flags & SA_SIGINFO ||
                    (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
  if (!isFunction || inPreviousHandler) // it may in turn call this one
    return dieBySignal(signal, info->si_code <= 0);
  inPreviousHandler = true;
  if (action.sa_flags & SA_SIGINFO)
    action.sa_sigaction(signal, info, context);
  else
    action.sa_handler(signal);
  inPreviousHandler = false;
}

void reportHostAccess(const void *address) {
  char what[200];
  if (!describeDeviceAddress(address, what, sizeof what))
    return;
  std::fprintf(stderr,
               "cufrt: host code used the address of device memory (%s): copy it to the host "
               "first, or give it the managed attribute\n",
               what);
}

void onFault(int signal, siginfo_t *info, void *context) {
  bool isAccess = (signal == SIGSEGV || signal == SIGBUS) && info->si_code > 0;
  if (isAccess && (guarded || isInDeviceWork()) && openDeviceMemory(info->si_addr))
    return; // and try again
  if (isAccess && openBehindHeld(info->si_addr))
    return;
  if (isAccess && isInArena(info->si_addr)) // a debugger has seen others
    cufrt_debugger_fault(signal, info->si_addr);
  if (guarded && info->si_code > 0) {
    bool hasAddress = isAccess && info->si_code != SI_KERNEL;
    guarded->fault = {signal, hasAddress, info->si_addr,
                      hasAddress && signal == SIGSEGV && isOverflow(info->si_addr)};
    siglongjmp(guarded->environment, 1);
  }
  if (isAccess)
    reportHostAccess(info->si_addr);
  callPrevious(signal, info, context);
}

// The stack for handlers of one thread, and where the thread's own stack ends.
class HandlerStack {
public:
  HandlerStack() {
    // A blocked signal of a fault would end the program.
    sigset_t faults;
    sigemptyset(&faults);
    for (int signal : signals)
      sigaddset(&faults, signal);
    pthread_sigmask(SIG_UNBLOCK, &faults, nullptr);
    stack_t now{};
    if (sigaltstack(nullptr, &now) == 0 && now.ss_flags & SS_DISABLE) {
      memory = std::malloc(handlerStackBytes);
      now = {};
      now.ss_sp = memory;
      now.ss_size = handlerStackBytes;
      if (memory)
        sigaltstack(&now, nullptr);
    }
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
      return;
    void *lowest = nullptr;
    size_t bytes = 0;
    pthread_attr_getstack(&attributes, &lowest, &bytes);
    pthread_attr_destroy(&attributes);
    stackEnd = static_cast<char *>(lowest);
  }
  HandlerStack(const HandlerStack &) = delete;
  ~HandlerStack() {
    if (!memory)
      return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    std::free(memory);
  }

private:
  void *memory = nullptr;
};

void prepareThread() { [[maybe_unused]] static thread_local HandlerStack stack; }

const char *signalMeaning(const Fault &fault) {
  switch (fault.signal) {
  case SIGFPE:
    return "an integer division by zero, or one whose result is too large";
  case SIGILL:
  case SIGTRAP:
    return "a trap";
  default:
    return fault.isStackOverflow ? "its thread's stack is used up: recursion too deep, or local "
                                   "arrays too large"
                                 : "an invalid address";
  }
}

} // namespace

// A library that the program calls may have put its own handler in place meanwhile; it then comes
// after this one.
void installFaultHandlers() {
  static std::mutex mutex;
  struct sigaction action{}, now;
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  prepareThread();
  isInArena(nullptr); // creates the arena, which the handler must not do
  std::lock_guard lock(mutex);
  for (int i = 0; i < signalCount; ++i) {
    sigaction(signals[i], nullptr, &now);
    bool isInPlace = now.sa_flags & SA_SIGINFO && now.sa_sigaction == onFault;
    if (isInPlace && i == 0)
      return; // who replaces one replaces that of SIGSEGV; asking for all takes as long as a launch
    if (isInPlace)
      continue;
    previous[i] = now;
    sigaction(signals[i], &action, nullptr);
  }
}

StackBounds::StackBounds(const char *lowest) : before(std::exchange(stackEnd, lowest)) {}
StackBounds::~StackBounds() { stackEnd = before; }

Fault runGuarded(void (*run)(void *context), void *context) {
  Guarded scope{};
  prepareThread();
  const char *const ownStack = stackEnd;
  // On a GPU nothing traps and denormal numbers are kept, whatever the program wants of its host
  // code.
  const FloatingPointControl hostArithmetic = floatingPointControl();
  setFloatingPointControl(controlAtStart);
  if (sigsetjmp(scope.environment, 0) == 0) { // NOLINT(cert-err52-cpp): see the head of the file
    guarded = &scope;
    run(context);
  }
  guarded = nullptr;
  stackEnd = ownStack;
  WordLock::letGo();
  setFloatingPointControl(hostArithmetic);
  return scope.fault;
}

bool isGuarded() { return guarded; }

void abandonBlock() {
  if (!guarded)
    return;
  guarded->fault = {SIGSEGV, false, nullptr, false, true};
  siglongjmp(guarded->environment, 1);
}

Error errorOf(const Fault &fault) {
  if (fault.isStackOverflow)
    return errorHardwareStackError;
  return fault.signal == SIGSEGV || fault.signal == SIGBUS ? errorIllegalAddress
                                                           : errorLaunchFailure;
}

// Indices are given as Fortran counts them.
void reportFault(const Fault &fault, const cufrt_kernel &kernel, const cufrt_block &block) {
  char address[40] = "", where[200] = "";
  if (fault.hasAddress && !fault.isStackOverflow) {
    std::snprintf(address, sizeof address, " %p", fault.address);
    where[0] = ',', where[1] = ' ';
    if (!describeDeviceAddress(fault.address, where + 2, sizeof where - 2))
      std::snprintf(where, sizeof where, ", which is not in device memory");
  }
  std::fprintf(stderr, "cufrt: kernel %s failed in block (%d,%d,%d): %s%s%s\n", kernel.display,
               block.block_index[0] + 1, block.block_index[1] + 1, block.block_index[2] + 1,
               signalMeaning(fault), address, where);
}

} // namespace cufrt::host
