// -traceback: a program that dies by a signal says where, by the lines of its calls.
//
// Frames come from the unwinder and lines from the DWARF tables of the executable, read by
// libbacktrace, which GCC ships: it allocates by mmap alone, so it works in a signal handler. The
// handler runs on a stack of its own, since the program's may be used up, and leaves the signal's
// default behind: the instruction faults again and ends the program as it would have.
#include "core/page_size.h"
#include "core/program_options.h"

#ifdef CUFRT_HAS_BACKTRACE
#include <backtrace.h>
#endif

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

namespace cufrt {
namespace {

constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
constexpr size_t handlerStackBytes = size_t{256} * 1024;
[[maybe_unused]] constexpr int mostFrames = 64;
[[maybe_unused]] constexpr const char *mainProgram = "_QQmain";

// Text of one line, without the heap.
class Line {
public:
  Line &operator<<(const char *text) { return add(text, std::strlen(text)); }
  Line &operator<<(int number) {
    char digits[16];
    return add(digits, static_cast<size_t>(std::snprintf(digits, sizeof digits, "%d", number)));
  }
  Line &add(const char *text, size_t count) {
    count = count < sizeof buffer - 1 - length ? count : sizeof buffer - 1 - length;
    std::memcpy(buffer + length, text, count);
    length += count;
    return *this;
  }
  ~Line() {
    buffer[length++] = '\n';
    [[maybe_unused]] ssize_t written = write(STDERR_FILENO, buffer, length);
  }

private:
  char buffer[1024];
  size_t length = 0;
};

// Whether the stack of the main thread has grown beyond its limit: large automatic arrays do that.
bool stackIsFull(const ucontext_t &context) {
  rlimit limit{};
  if (syscall(SYS_gettid) != getpid() || getrlimit(RLIMIT_STACK, &limit) != 0 ||
      limit.rlim_cur == RLIM_INFINITY)
    return false;
  auto top = reinterpret_cast<uintptr_t>(environ); // what a program is given lies above its stack
#if defined(__aarch64__)
  auto pointer = static_cast<uintptr_t>(context.uc_mcontext.sp);
#else
  auto pointer = static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
#endif
  return pointer < top && top - pointer > limit.rlim_cur - pageBytes;
}

const char *meaning(int signal, int code, const ucontext_t &context) {
  switch (signal) {
  case SIGFPE:
    switch (code) {
    case FPE_INTDIV:
      return "integer division by zero";
    case FPE_FLTDIV:
      return "floating-point division by zero";
    case FPE_FLTOVF:
      return "floating-point overflow";
    case FPE_FLTUND:
      return "floating-point underflow";
    case FPE_FLTRES:
      return "inexact floating-point result";
    default:
      return "invalid floating-point operation";
    }
  case SIGSEGV:
    return stackIsFull(context) ? "the stack is full; `ulimit -s unlimited` gives more"
                                : "invalid address";
  case SIGBUS:
    return "address that no memory stands behind";
  case SIGILL:
    return "invalid instruction";
  case SIGTRAP:
    return "a trap";
  default:
    return "the program gave up";
  }
}

#ifdef CUFRT_HAS_BACKTRACE

// "_QMfluxesFupdatePinner" is fluxes::update::inner, "_QQmain" the main program; an external
// procedure has its name and an underscore.
void addProcedure(Line &line, const char *name) {
  if (std::strcmp(name, mainProgram) == 0) {
    line << "the main program";
    return;
  }
  bool first = true;
  if (std::strncmp(name, "_Q", 2) != 0) {
    size_t length = std::strlen(name);
    line.add(name, length > 1 && name[length - 1] == '_' ? length - 1 : length);
    return;
  }
  for (const char *at = name + 2; *at;) {
    const char *begin = ++at; // behind M, S, F or P
    while (*at && (*at < 'A' || *at > 'Z'))
      ++at;
    if (at == begin)
      continue;
    line << (first ? "" : "::");
    line.add(begin, static_cast<size_t>(at - begin));
    first = false;
  }
}

struct Frames {
  backtrace_state *state;
  int shown = 0;
};

void ignoreError(void *, const char *, int) {}

void takeName(void *data, uintptr_t, const char *name, uintptr_t, uintptr_t) {
  *static_cast<const char **>(data) = name;
}

// Frames without lines are those of libraries, the one behind the main program is that of C. A call
// that was inlined has no symbol, but a name in DWARF, where that of the main program is in
// capitals.
int showFrame(void *data, uintptr_t address, const char *file, int number, const char *function) {
  auto &frames = *static_cast<Frames *>(data);
  if (!file || number <= 0)
    return 0;
  const char *symbol = nullptr;
  backtrace_syminfo(frames.state, address, takeName, ignoreError, &symbol);
  if (function && std::strcmp(function, "main") == 0)
    return 1;
  bool isMain = function && *function >= 'A' && *function <= 'Z';
  Line line;
  line << (frames.shown == 0 ? "  at " : "  called at ") << file << ":" << number;
  if (const char *name = isMain ? mainProgram : function ? function : symbol) {
    line << ", in ";
    addProcedure(line, name);
  }
  return ++frames.shown == mostFrames;
}

void showFrames() {
  Frames frames{backtrace_create_state(nullptr, 1, ignoreError, nullptr)};
  if (frames.state)
    backtrace_full(frames.state, 0, showFrame, ignoreError, &frames);
  if (frames.shown == 0)
    Line() << "  no lines are known; -traceback is for compiling, too";
}

#else
void showFrames() { Line() << "  no lines: this cufc was built without libbacktrace"; }
#endif

void onSignal(int signal, siginfo_t *information, void *context) {
  std::signal(signal, SIG_DFL);
  Line() << "cufrt: the program ends by signal " << signal << ": "
         << meaning(signal, information->si_code, *static_cast<const ucontext_t *>(context));
  showFrames();
  if (information->si_code <= 0 && signal != SIGABRT) // nobody will raise it again
    raise(signal);
}

} // namespace

void installTraceback() {
  static bool installed = false;
  if (installed)
    return;
  installed = true;
  stack_t stack{};
  stack.ss_size = handlerStackBytes;
  stack.ss_sp =
      mmap(nullptr, handlerStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack.ss_sp != MAP_FAILED)
    sigaltstack(&stack, nullptr);
  struct sigaction action{};
  action.sa_sigaction = onSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (int signal : signals)
    sigaction(signal, &action, nullptr);
}

} // namespace cufrt
