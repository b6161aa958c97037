// Has gdb see a thread of a kernel that waits as if it were stopped in a call stack, so that its
// lines, calls and variables are gdb's to find. cufrt/debugger.h says how and why that works.
#ifndef CUFLS_DEBUG_THREAD_FOCUS_H
#define CUFLS_DEBUG_THREAD_FOCUS_H

#include "debug/kernel_model.h"

namespace cufc::debug {

class ThreadFocus {
public:
  ThreadFocus(MiConnection &gdb, KernelModel &kernels) : gdb(gdb), kernels(kernels) {}

  // What is asked next is of this context.
  bool enter(const FrameContext &context);
  // Puts registers back. The program must not go on before.
  bool leave();

private:
  struct Registers {
    std::string counter, stack, frame; // as gdb writes them
  };

  bool set(int thread, const Registers &registers);

  MiConnection &gdb;
  KernelModel &kernels;
  FrameContext now;
  std::optional<Registers> kept; // while they are changed
};

} // namespace cufc::debug
#endif // CUFLS_DEBUG_THREAD_FOCUS_H
