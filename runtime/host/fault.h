// Faults of kernels: a block that uses an invalid address, divides by zero, runs into a trap or out
// of stack is abandoned, and the fault is handed to the launch as a value.
//
// The handlers of the signals are installed by the first launch and looked after by each later one.
// A fault of host code goes on to the handler that was there before, after a message if the address
// is one of device memory.
#ifndef CUFRT_HOST_FAULT_H
#define CUFRT_HOST_FAULT_H

#include "cufrt/abi.h"
#include "cufrt/device.h"

namespace cufrt::host {

struct Fault {
  int signal;          // 0 if there was none
  bool hasAddress;     // x86 does not tell that of a non-canonical one
  const void *address; // of SIGSEGV and SIGBUS
  bool isStackOverflow;
  bool isReported = false; // by who abandoned the block
};

// Called by a launch before its blocks run, on the launching thread.
void installFaultHandlers();

// Runs `run(context)`, which runs blocks on this thread. A fault ends it at once, without the
// destructors of what it called.
Fault runGuarded(void (*run)(void *context), void *context);

template <typename Function>
Fault runGuarded(Function &function) {
  return runGuarded([](void *context) { (*static_cast<Function *>(context))(); }, &function);
}

// While it exists, this thread's blocks run on another stack, whose lowest page is inaccessible.
// A fault ends it, too.
class StackBounds {
public:
  explicit StackBounds(const char *lowest);
  StackBounds(const StackBounds &) = delete;
  ~StackBounds();

private:
  const char *before;
};

// Whether this thread runs blocks.
bool isGuarded();

// Ends them as a fault does that has been reported. Returns only where no blocks run.
void abandonBlock();

// The error that a GPU leaves behind.
Error errorOf(const Fault &fault);

// Says on stderr what happened in `block` of `kernel`.
void reportFault(const Fault &fault, const cufrt_kernel &kernel, const cufrt_block &block);

} // namespace cufrt::host
#endif // CUFRT_HOST_FAULT_H
