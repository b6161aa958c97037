// Calls of tools: whether they may run, what they print while they do, and what comes of them.
#include "mcp/arguments.h"
#include "mcp/session.h"
#include <fmt/format.h>

namespace cufc::mcp {
namespace {

constexpr size_t mostPrinted = size_t(64) << 20;
constexpr auto progressPause = std::chrono::milliseconds(250);

ToolResult refusal(const std::string &why) { return {why, Json(), true}; }

constexpr const char *notTrusted =
    "nothing was run: the workspace is not trusted. The user can start the server with "
    "`cufls mcp --trusted`.";

} // namespace

void Session::callTool(const Json &id, const Json &params) {
  std::string name = params.at("name");
  const Tool *tool = findTool(name);
  if (!tool)
    throw RequestFailure{RpcError::InvalidParams, "unknown tool " + name};
  Json arguments = params.value("arguments", Json::object());
  try {
    checkArguments(arguments, Json::parse(tool->schema));
    if (!tool->call)
      return answerTool(id, reference().search(arguments));
    startTask(id, params, *tool, arguments);
  } catch (const ToolFailure &failure) {
    answerTool(id, refusal(failure.message));
  }
}

void Session::startTask(const Json &id, const Json &params, const Tool &tool,
                        const Json &arguments) {
  ToolCall call = tool.call(arguments, place);
  if (call.trust == Trust::Trusted && !options.trusted)
    throw ToolFailure{notTrusted};
  bool asks = call.trust == Trust::Asks && !options.trusted && (!consented || call.asksAlways);
  if (asks && !mayAskUser())
    throw ToolFailure{notTrusted};
  int number = ++lastTask;
  Task &task = tasks[number];
  task.id = id;
  task.arguments = arguments;
  task.tool = &tool;
  task.call = std::move(call);
  const Json meta = params.value("_meta", Json::object());
  task.progressToken = meta.is_object() ? meta.value("progressToken", Json()) : Json();
  if (asks)
    askUser(number);
  else
    run(number);
}

bool Session::mayAskUser() const { return client.is_object() && client.contains("elicitation"); }

void Session::askUser(int number) {
  std::string question = fmt::format("cufls/question/{}", number);
  questions[question] = number;
  send({{"jsonrpc", "2.0"},
        {"id", question},
        {"method", "elicitation/create"},
        {"params",
         {{"message", tasks[number].call.question + " The programs can do whatever you can do."},
          {"requestedSchema", {{"type", "object"}, {"properties", Json::object()}}}}}});
}

void Session::takeResponse(const Json &message) {
  const Json id = message.value("id", Json());
  auto question = id.is_string() ? questions.find(id.get<std::string>()) : questions.end();
  if (question == questions.end())
    return;
  int number = question->second;
  questions.erase(question);
  auto task = tasks.find(number);
  if (task == tasks.end()) // cancelled meanwhile
    return;
  const Json result = message.value("result", Json::object());
  if (result.is_object() && result.value("action", Json()) == "accept") {
    consented |= !task->second.call.asksAlways;
    return run(number);
  }
  Json asker = task->second.id;
  tasks.erase(task);
  answerTool(asker, refusal("nothing was run: the user did not agree"));
}

void Session::run(int number) {
  Task &task = tasks.at(number);
  std::vector<std::string> command = task.call.command;
  command.insert(command.begin(), options.executable);
  if (!task.call.reportFile.empty()) {
    task.scratch = std::make_unique<TemporaryFolder>();
    task.call.reportFile = task.scratch->path(task.call.reportFile);
    command.insert(command.begin() + 2, "--report-to=" + task.call.reportFile);
  }
  task.program = std::make_unique<ChildProgram>(
      loop,
      [this, number](ChildProgram::Stream stream, std::string_view text) {
        printed(tasks.at(number), stream, text);
      },
      [this, number](int status) { ended(number, status); });
  task.timer = std::make_unique<asio::steady_timer>(loop, std::chrono::seconds(task.call.timeout));
  task.timer->async_wait([this, number](const asio::error_code &error) {
    auto found = tasks.find(number);
    if (error || found == tasks.end())
      return;
    found->second.outcome.timedOut = true;
    found->second.program->kill();
  });
  task.outcome.timeout = task.call.timeout;
  task.outcome.folder = options.folder;
  if (task.program->start(command, options.folder))
    return;
  Json id = task.id;
  tasks.erase(number);
  answerTool(id, refusal("cannot start " + options.executable));
}

// The last line that came is what a client shows of the progress.
void Session::printed(Task &task, ChildProgram::Stream stream, std::string_view text) {
  std::string &kept =
      stream == ChildProgram::Stream::Error ? task.outcome.errors : task.outcome.output;
  if (kept.size() + text.size() <= mostPrinted)
    kept += text;
  bool shown = stream == ChildProgram::Stream::Error || task.call.trust == Trust::Asks;
  auto now = std::chrono::steady_clock::now();
  if (task.progressToken.is_null() || !shown || now - task.lastProgress < progressPause)
    return;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
    text.remove_suffix(1);
  std::string_view line = text.substr(text.rfind('\n') + 1).substr(0, 200);
  task.lastProgress = now;
  send({{"jsonrpc", "2.0"},
        {"method", "notifications/progress"},
        {"params",
         {{"progressToken", task.progressToken},
          {"progress", ++task.progress},
          {"message", std::string(line)}}}});
}

void Session::ended(int number, int exitStatus) {
  Task task = std::move(tasks.at(number));
  tasks.erase(number);
  over.push_back(std::move(task.program));
  task.timer->cancel();
  task.outcome.exitStatus = exitStatus;
  if (!task.call.reportFile.empty())
    readFile(task.call.reportFile, task.outcome.report);
  answerTool(task.id, task.tool->result(task.arguments, task.outcome));
}

// By the protocol a request that is cancelled gets no answer. Its program ends with the object.
void Session::cancel(const Json &id) {
  std::erase_if(tasks, [&](const auto &task) { return task.second.id == id; });
}

void Session::answerTool(const Json &id, const ToolResult &result) {
  Json content = {{"type", "text"}, {"text", result.text}};
  Json json = {{"content", Json::array({content})}};
  if (result.data.is_object() && protocol >= "2025-06-18")
    json["structuredContent"] = result.data;
  json["isError"] = result.failed;
  answer(id, std::move(json));
}

} // namespace cufc::mcp
