// The commands of workspace/executeCommand: tasks of the host, whose output goes to the client as
// notifications cufls/output. A request is answered when its task has ended.
#ifndef CUFLS_SERVER_COMMANDS_H
#define CUFLS_SERVER_COMMANDS_H

#include "host/observer.h"
#include "server/client.h"

namespace cufc {

class Host;

class Commands {
public:
  Commands(Host &host, Client &client) : host(host), client(client) {}

  // Starts a command of the table in commands.cpp and answers request `id` when it is over:
  // {exitCode}. Throws ResponseError if it cannot. With `times` a run measures them.
  void start(const Json &id, const std::string &command, const Json &arguments, bool times);
  // By the request's number, or the token of its progress; nothing if there is no such task.
  void cancel(const Json &id);
  void cancelProgress(const Json &token);

  // Names of the commands, for the client.
  static Json names();

  // What the host says of tasks, for the client.
  void began(const TaskInfo &task);
  void printed(const TaskInfo &task, ChildProgram::Stream stream, std::string_view text) const;
  void ended(const TaskInfo &task, bool good) const;

private:
  Host &host;
  Client &client;
  std::map<int, Json> requests; // of the client, by the numbers of their tasks
};

} // namespace cufc
#endif // CUFLS_SERVER_COMMANDS_H
