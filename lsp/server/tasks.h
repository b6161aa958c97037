// What the user starts through the editor: builds and runs of programs, with their output and their
// problems. Each is a request workspace/executeCommand that is answered when the program has ended.
//
// The output goes to the client as notifications cufls/output {task, stream, text}; messages of the
// compiler as diagnostics of the files. In a workspace that the client does not say to be trusted
// (initializationOptions.trusted), the user is asked before anything runs.
#ifndef CUFLS_SERVER_TASKS_H
#define CUFLS_SERVER_TASKS_H

#include "project/run_messages.h"
#include "server/child_program.h"
#include "server/protocol.h"
#include <map>

namespace cufc {

class Server;

class Tasks {
public:
  Tasks(asio::io_context &loop, Server &server) : loop(loop), server(server) {}
  ~Tasks();

  // Starts a command of the table in tasks.cpp and answers request `id` when it is over: {exitCode,
  // device?, cancelled}. Throws ResponseError if it cannot.
  void start(const Json &id, const std::string &command, const Json &arguments);
  // By the request's number, or the token of its progress; false if there is no such task.
  bool cancel(const Json &id);
  bool cancelProgress(const Json &token);

  // Names of the commands, for the client.
  static Json commandNames();

  // Problems of the last build in a file.
  std::vector<Diagnostic> problemsOf(const std::string &path) const;
  // The file has been edited, so that they may be wrong.
  void forgetProblems(const std::string &path) { problems.erase(path); }

private:
  struct Task {
    Json id;
    int number = 0;
    std::string name, title, folder;
    std::string token;
    bool cancelled = false;
    std::string line; // of standard error, as far as it has come
    std::unique_ptr<RunMessages> messages;
    std::unique_ptr<ChildProgram> program;
  };

  void run(Task &task, const std::vector<std::string> &command);
  void printed(Task &task, ChildProgram::Stream stream, std::string_view text);
  void takeLine(Task &task, const std::string &line);
  void ended(int number, int exitStatus);
  void progress(const Task &task, Json value);

  asio::io_context &loop;
  Server &server;
  int last = 0;
  bool consented = false;
  std::map<int, Task> tasks;
  std::vector<std::unique_ptr<ChildProgram>> over; // until nobody can be inside them
  std::map<std::string, std::vector<Diagnostic>> problems;
};

} // namespace cufc
#endif // CUFLS_SERVER_TASKS_H
