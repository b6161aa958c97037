// Work in a child process, so that a crash or a fatal error in flang or LLVM costs one file and
// becomes a diagnostic.
#ifndef CUFC_DRIVER_CHILD_H
#define CUFC_DRIVER_CHILD_H

#include "base/diagnostics.h"
#include "base/stage.h"
#include <functional>
#include <string>

namespace cufc {

class Child {
public:
  // Starts `work` in a forked process; its result is the exit status. Standard error of the child
  // is collected. `format` is for the message after a crash.
  Child(std::string name, DiagnosticFormat format, const std::function<int()> &work);
  Child(Child &&) = default;

  // Waits, prints what the child printed, and returns its exit status: 1 after a crash, which is
  // reported with the stage that the child was in.
  int finish();
  // The same without printing: what would be is appended to `output`.
  int finish(std::string &output);
  // Ends the process, whose work nobody wants any more, and those that it has started.
  void stop();

private:
  std::string name;
  DiagnosticFormat format;
  int pid = -1;
  int readEnd = -1;
  int failure = 0; // errno, if there is no process
  StagePage stage; // shared with the child
};

} // namespace cufc
#endif // CUFC_DRIVER_CHILD_H
