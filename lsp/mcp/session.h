// One assistant's conversation by the Model Context Protocol: lifecycle, tools, resources.
//
// Runs in one thread. Each request gets exactly one answer: at once, or when the command that it
// has started is over; none if it is cancelled. Nothing of a workspace that is not trusted runs
// before the user has agreed, whom the client asks (elicitation/create).
#ifndef CUFLS_MCP_SESSION_H
#define CUFLS_MCP_SESSION_H

#include "base/files.h"
#include "host/child_program.h"
#include "mcp/reference.h"
#include "mcp/serve.h"
#include <asio/steady_timer.hpp>
#include <functional>
#include <map>
#include <memory>

namespace cufc::mcp {

class Session {
public:
  using Send = std::function<void(const Json &message)>;
  Session(asio::io_context &loop, const ServeOptions &options, Send send);

  void receive(const std::string &line);

private:
  // A call of a tool that is not answered yet.
  struct Task {
    Json id, arguments, progressToken;
    const Tool *tool = nullptr;
    ToolCall call;
    Outcome outcome;
    std::unique_ptr<TemporaryFolder> scratch; // of the report
    std::unique_ptr<ChildProgram> program;
    std::unique_ptr<asio::steady_timer> timer;
    std::chrono::steady_clock::time_point lastProgress;
    int progress = 0;
  };
  using Handler = Json (Session::*)(const Json &params);
  struct Method {
    const char *name;
    Handler answer;
  };
  static const Method methods[];

  void take(const Json &message);
  void takeRequest(const Json &id, const std::string &name, const Json &params);
  void takeNotification(const std::string &name, const Json &params);
  void takeResponse(const Json &message);

  Json initialize(const Json &params);
  Json ping(const Json &params);
  Json listTools(const Json &params);
  Json listResources(const Json &params);
  Json listTemplates(const Json &params);
  Json readResource(const Json &params);

  void callTool(const Json &id, const Json &params);
  void startTask(const Json &id, const Json &params, const Tool &tool, const Json &arguments);
  void askUser(int number);
  void run(int number);
  void printed(Task &task, ChildProgram::Stream stream, std::string_view text);
  void ended(int number, int exitStatus);
  void cancel(const Json &id);

  void answer(const Json &id, Json result);
  void answerTool(const Json &id, const ToolResult &result);
  void fail(const Json &id, const RequestFailure &failure);
  bool mayAskUser() const;
  const Reference &reference();

  asio::io_context &loop;
  ServeOptions options;
  Place place;
  Send send;
  bool initialized = false, consented = false;
  std::string protocol;             // its version
  Json client = Json::object();     // its capabilities
  std::unique_ptr<Reference> pages; // read when first asked for
  int lastTask = 0;
  std::map<int, Task> tasks;
  std::map<std::string, int> questions; // to the user, by the request's id: the task that waits
  std::vector<std::unique_ptr<ChildProgram>> over; // until nobody can be inside them
};

} // namespace cufc::mcp
#endif // CUFLS_MCP_SESSION_H
