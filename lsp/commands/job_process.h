// A program that stands for a job elsewhere, with its standard input as a pipe from here.
#ifndef CUFLS_COMMANDS_JOB_PROCESS_H
#define CUFLS_COMMANDS_JOB_PROCESS_H

#include "commands/commands.h"
#include <sys/types.h>

namespace cufc {

class JobProcess {
public:
  enum class Output { Shown, Kept };
  // What Ctrl-C and SIGTERM do: the program's input ends, and it gets no signal; or it gets SIGINT.
  enum class Ends { WithInput, BySignal };
  ~JobProcess() { closeInput(); }

  // Looks for the program on PATH. False with errno set.
  bool start(const Arguments &command, Output output, Ends ends);
  int input() const { return pipeIn; }
  void closeInput();
  // Until it ends; the exit status, or 128 + the signal's number. After SIGINT or SIGTERM here the
  // program gets ten seconds to end.
  int wait();
  // The signal that has interrupted it, or 0.
  int interrupted() const { return signalSeen; }
  const std::string &output() const { return kept; } // with Output::Kept

private:
  void readOutput();

  Ends ends = Ends::BySignal;
  pid_t process = -1;
  int pipeIn = -1, pipeOut = -1;
  int signalSeen = 0;
  std::string kept;
};

} // namespace cufc
#endif // CUFLS_COMMANDS_JOB_PROCESS_H
