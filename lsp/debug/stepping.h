// Steps of the same thread of a kernel, though the host device runs others in between.
//
// Where a thread of a kernel that synchronises stops at an operation, its function returns to the
// runtime library; the step goes on when that function is called for the thread's frame again, as a
// watchpoint on the frame tells without stopping for the other threads. A step behind the end of a
// thread ends where the launch returns.
#ifndef CUFLS_DEBUG_STEPPING_H
#define CUFLS_DEBUG_STEPPING_H

#include "debug/thread_focus.h"

namespace cufc::debug {

enum class Step { Over, Into, Out };

class Stepper {
public:
  Stepper(MiConnection &gdb, KernelModel &kernels, ThreadFocus &focus)
      : gdb(gdb), kernels(kernels), focus(focus) {}

  // Lets the program go on; an empty answer if it does, and otherwise why not.
  std::string start(Step step, const FrameContext &context);
  // To where the thread comes back from its next barrier, or other operation.
  std::string toNextBarrier(const FrameContext &context);

  enum class Verdict { NotOurs, GoesOn, Done };
  // What a stop means for the step that is under way. NotOurs ends it.
  Verdict stopped(const MiValue &stop);

  bool isActive() const { return phase != Phase::None; }
  // The stop is at the start of a thread that the step brought back (as a breakpoint there sees
  // it).
  bool isSettling() const { return phase == Phase::Settling; }
  void cancel();

private:
  enum class Phase { None, Stepping, Waiting, Settling };

  bool proceed(const std::string &command);
  std::string waitForThread(const Block &block, int thread);
  bool watchFrame(uint64_t frame);
  bool breakAtResumption(const Block &block, uint64_t frame);
  enum class Behind { Stop, Kernel };
  bool breakAtSource(int thread, Behind where);
  bool breakAtLaunch();
  void removeBreakpoints();
  Verdict settle();
  Verdict leftSource();

  MiConnection &gdb;
  KernelModel &kernels;
  ThreadFocus &focus;
  Phase phase = Phase::None;
  FrameContext context;               // where the step began
  std::optional<KernelPosition> from; // in a kernel
  std::vector<std::string> ours;      // breakpoints
  std::string watch;                  // the one of them that watches a frame
  SourceLine waited;                  // of the operation
  int settlings = 0;
};

} // namespace cufc::debug
#endif // CUFLS_DEBUG_STEPPING_H
