// Programs that run at the same time, each in a process group of its own, and the signals that end
// a build. One thread: `wait` sleeps until a program ends or the user interrupts.
#ifndef CUFC_PROJECT_PROCESS_POOL_H
#define CUFC_PROJECT_PROCESS_POOL_H

#include <csignal>
#include <optional>
#include <string>
#include <vector>

namespace cufc {

struct FinishedProcess {
  size_t id;
  int status = -1;    // exit status, -1 if a signal ended it or it did not start
  int signal = 0;     // that signal
  int error = 0;      // errno, if it did not start
  std::string output; // stderr and stdout together
};

class ProcessPool {
public:
  // From here to the end of the object SIGINT, SIGTERM and SIGHUP come through `wait`.
  ProcessPool();
  // Ends what still runs.
  ~ProcessPool();
  ProcessPool(const ProcessPool &) = delete;
  ProcessPool &operator=(const ProcessPool &) = delete;

  // Starts `file` with the arguments, the first of which is the name it goes by, in a folder.
  void start(size_t id, const std::string &file, const std::vector<std::string> &arguments,
             const std::string &directory);
  size_t running() const { return processes.size() + failed.size(); }

  // The next that ended; nothing if the user interrupted, or nothing runs.
  std::optional<FinishedProcess> wait();
  // The signal that interrupted, or 0.
  int interruption() const { return signal; }
  // Ends all at once, with their children.
  void killAll();

private:
  struct Running {
    size_t id;
    int pid;
    int readEnd;
    std::string output;
  };
  bool readOutput(Running &process);
  FinishedProcess reap(Running &process);

  std::vector<Running> processes;
  std::vector<FinishedProcess> failed; // to start
  int signalDescriptor = -1;
  int signal = 0;
  sigset_t oldMask;
};

} // namespace cufc
#endif // CUFC_PROJECT_PROCESS_POOL_H
