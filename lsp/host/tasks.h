// What users start: builds and runs of programs, and questions to builds for their flags. Each is
// `cufls` with a command in a process of its own, so that the terminal, CI and the editor do the
// same.
//
// What it prints goes to the observer as it comes. Its diagnostics come as data, by
// --diagnostics-to, and are problems of the files that they are about until these are edited. In a
// workspace that is not trusted the user is asked before anything runs.
#ifndef CUFLS_HOST_TASKS_H
#define CUFLS_HOST_TASKS_H

#include "base/files.h"
#include "host/child_program.h"
#include "host/observer.h"
#include <map>
#include <memory>
#include <set>

namespace cufc {

class Host;

struct TaskRequest {
  TaskKind kind = TaskKind::Build;
  std::string path;                        // a file or folder
  std::optional<std::string> target = {};  // to be built or run instead
  std::optional<std::string> device = {};  // to run on
  std::optional<std::string> machine = {}; // another one to run on, which is asked for each time
  bool check = false;                      // what the run finds becomes problems
  bool measure = false;                    // its times are wanted (Host::measurements)
  std::vector<std::string> arguments = {}; // of the program
  std::optional<std::string> from = {};    // the build to ask; the folder's first without
};

struct TaskEnd {
  enum class How { Exited, Cancelled, Refused } how = How::Exited;
  int exitStatus = 0;
  std::string reason = {}; // why nothing was run
};

class Tasks {
public:
  // Called once, perhaps before `start` returns.
  using Ended = std::function<void(const TaskEnd &)>;

  // `program` is cufls, by its path.
  Tasks(Host &host, asio::io_context &loop, std::string program)
      : host(host), loop(loop), program(std::move(program)) {}
  ~Tasks();

  // Returns the task's number, by which it can be cancelled until it has ended.
  int start(const TaskRequest &request, Ended ended);
  void cancel(int number);

  // Problems in a file that the last task found.
  std::vector<Diagnostic> problemsOf(const std::string &path) const;
  // The file has been edited, so that they may be wrong.
  void forgetProblems(const std::string &path);

private:
  struct Task {
    TaskInfo info;
    Ended ended;
    bool cancelled = false;
    std::string machine; // it runs on; empty: this one
    std::string said;    // on standard error, with `request.check`
    bool check = false;
    bool measure = false;
    std::unique_ptr<ChildProgram> program;
    std::unique_ptr<TemporaryFolder> scratch; // where its diagnostics come
    std::set<std::string> edited;             // files, since it was started
  };

  void ask(const Task &task, const std::vector<std::string> &arguments);
  void run(Task &task, const std::vector<std::string> &arguments);
  void finish(int number, int exitStatus);
  void readProblems(const Task &task);
  void readFindings(const Task &task);
  void refuse(int number, TaskEnd::How how, const std::string &reason);

  Host &host;
  asio::io_context &loop;
  std::string program;
  int last = 0;
  bool consented = false;
  std::map<int, Task> tasks;
  std::vector<std::unique_ptr<ChildProgram>> over; // until nobody can be inside them
  std::map<std::string, std::vector<Diagnostic>> problems;
};

} // namespace cufc
#endif // CUFLS_HOST_TASKS_H
