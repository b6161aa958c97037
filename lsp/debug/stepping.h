// Steps of the same thread of a kernel, though the host device runs others in between.
//
// Where a thread of a kernel that synchronises stops at an operation, its function returns to the
// runtime library; the step goes on when the library says that it resumes the thread, which it does
// for the one that is awaited alone (cufrt_debugger_awaited), and reaches the place behind the
// operation. A step behind the end of a thread ends where the launch returns.
#ifndef CUFLS_DEBUG_STEPPING_H
#define CUFLS_DEBUG_STEPPING_H

#include "debug/thread_focus.h"
#include <utility>

namespace cufc::debug {

enum class Step { Over, Into, Out };

class Stepper {
public:
  Stepper(MiConnection &gdb, KernelModel &kernels, ThreadFocus &focus, ProcessMemory &memory)
      : gdb(gdb), kernels(kernels), focus(focus), memory(memory) {}

  // Lets the program go on; an empty answer if it does, and otherwise why not.
  std::string start(Step step, const FrameContext &context);
  // To where the thread comes back from its next barrier, or other operation.
  std::string toNextBarrier(const FrameContext &context);

  enum class Verdict { NotOurs, GoesOn, Done };
  // What a stop means for the step that is under way. NotOurs ends it.
  Verdict stopped(const MiValue &stop);

  // Why a step ended early, once; empty if it did not.
  std::string takeProblem() { return std::exchange(problem, {}); }

  bool isActive() const { return phase != Phase::None; }
  // Goes on after a stop that counts for nobody.
  bool goOn();
  void cancel();

private:
  enum class Phase {
    None,
    Stepping, // gdb steps
    Waiting,  // for the thread to be resumed
    Arriving, // at the place where the operation ends, or the launch returns
  };

  bool proceed(const std::string &command);
  std::string waitForThread(const Block &block, int thread);
  bool await(uint64_t frame);
  bool breakAtResumption(uint64_t frame);
  enum class Behind { Stop, Kernel };
  bool breakAtSource(int thread, Behind where);
  bool breakAtLaunch();
  void removeBreakpoints();
  Verdict finishLine();
  Verdict resumed(uint64_t address);
  Verdict stopsEarly(const std::string &why);
  Verdict leftSource();
  Verdict threadEnded();

  MiConnection &gdb;
  KernelModel &kernels;
  ThreadFocus &focus;
  ProcessMemory &memory;
  Phase phase = Phase::None;
  FrameContext context;               // where the step began
  std::optional<KernelPosition> from; // in a kernel
  std::vector<std::string> ours;      // breakpoints
  std::string resumption;             // the one that tells of the thread
  uint64_t awaited = 0;               // the frame
  uint64_t resume = 0;                // the function that runs it
  std::string problem;
};

} // namespace cufc::debug
#endif // CUFLS_DEBUG_STEPPING_H
