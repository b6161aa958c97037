// Running other programs (ptxas, fatbinary, the linker, nvcc) and finding them.
#ifndef CUFC_BASE_PROCESS_H
#define CUFC_BASE_PROCESS_H

#include <functional>
#include <string>
#include <vector>

namespace cufc {

struct ProcessResult {
  int status;         // exit status, or -1 if the program could not be started or died by a signal
  std::string output; // stdout and stderr together
};

// Runs a program with the given arguments (the first is the program, looked up on PATH if it has no
// slash) and waits. Nothing goes through a shell.
ProcessResult runProcess(const std::vector<std::string> &command);

// A program that runs in the background; `finish` waits for it.
class BackgroundProcess {
public:
  explicit BackgroundProcess(const std::vector<std::string> &command);
  // Several programs one after the other, in a copy of this process.
  explicit BackgroundProcess(const std::function<ProcessResult()> &work);
  ProcessResult finish();

private:
  int pid = -1;
  int readEnd = -1;
};

// The full path of a program on PATH, or empty.
std::string findProgram(const std::string &name);

// The command as one would type it, quoted for a shell; for -v.
std::string quoteCommand(const std::vector<std::string> &command);

} // namespace cufc
#endif // CUFC_BASE_PROCESS_H
