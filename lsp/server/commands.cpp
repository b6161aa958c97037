// See commands.h.
#include "server/commands.h"
#include "host/host.h"
#include "tables/protocol_messages.h"
#include <charconv>

namespace cufc {
namespace {

struct Command {
  const char *name;
  const char *title;
  TaskKind kind;
};

constexpr Command commands[] = {
    {"cufls.findFlags", "Asking for flags of", TaskKind::FindFlags},
    {"cufls.build", "Building", TaskKind::Build},
    {"cufls.run", "Running", TaskKind::Run},
};

const Command *findCommand(const std::string &name) {
  for (const Command &command : commands)
    if (name == command.name)
      return &command;
  return nullptr;
}

const Command &commandOf(const TaskInfo &task) {
  for (const Command &command : commands)
    if (task.kind == command.kind)
      return command;
  return commands[0];
}

constexpr std::string_view tokens = "cufls/task/"; // of progress, with the task's number

std::string tokenOf(int task) { return std::string(tokens) + std::to_string(task); }

// The path of a URI or of the form that users type.
std::string pathOf(const Json &argument) {
  std::string text = argument.get<std::string>();
  return text.find("://") == std::string::npos ? text : pathOfUri(text);
}

std::optional<std::string> textOf(const Json &options, const char *name) {
  return options.contains(name) ? std::optional(options[name].get<std::string>()) : std::nullopt;
}

// ["file:///...", {"device": "host"}] or [{"uri": "file:///...", "device": "host"}].
// `times`: whether the client wants the times of runs.
TaskRequest requestOf(const Command &command, const Json &arguments, bool times) {
  if (!arguments.is_array() || arguments.empty())
    throw ResponseError{ErrorCode::InvalidParams,
                        std::string(command.name) + " needs the URI of a file or folder"};
  const Json &first = arguments[0];
  Json options = arguments.size() > 1 ? arguments[1] : Json::object();
  if (first.is_object())
    options = first;
  TaskRequest request{command.kind, pathOf(first.is_object() ? first.at("uri") : first)};
  request.target = textOf(options, "target");
  if (command.kind == TaskKind::Run) {
    request.device = textOf(options, "device");
    request.machine = textOf(options, "on");
    request.check = options.value("check", false);
    request.measure = times && !request.check && !request.machine;
    request.arguments = options.value("arguments", std::vector<std::string>());
  }
  if (command.kind == TaskKind::FindFlags)
    request.from = textOf(options, "from");
  return request;
}

} // namespace

Json Commands::names() {
  Json names = Json::array();
  for (const Command &command : commands)
    names.push_back(command.name);
  return names;
}

void Commands::start(const Json &id, const std::string &name, const Json &arguments, bool times) {
  const Command *command = findCommand(name);
  if (!command)
    throw ResponseError{ErrorCode::InvalidParams, "unknown command " + name};
  auto over = std::make_shared<bool>(false);
  int number =
      host.tasks.start(requestOf(*command, arguments, times), [=, this](const TaskEnd &end) {
        *over = true;
        std::erase_if(requests, [&](const auto &entry) { return entry.second == id; });
        if (end.how == TaskEnd::How::Exited)
          client.answer(id, {{"exitCode", end.exitStatus}});
        else
          client.fail(id, {end.how == TaskEnd::How::Cancelled ? ErrorCode::RequestCancelled
                                                              : ErrorCode::RequestFailed,
                           end.reason});
      });
  if (!*over)
    requests[number] = id;
}

void Commands::cancel(const Json &id) {
  for (const auto &[number, request] : requests)
    if (request == id)
      return host.tasks.cancel(number);
}

void Commands::cancelProgress(const Json &token) {
  std::string text = token.is_string() ? token.get<std::string>() : "";
  int number = 0;
  if (text.starts_with(tokens) &&
      std::from_chars(text.data() + tokens.size(), text.data() + text.size(), number).ec ==
          std::errc())
    host.tasks.cancel(number);
}

void Commands::began(const TaskInfo &task) {
  if (!client.has("window/workDoneProgress"))
    return;
  std::string title = commandOf(task).title + (" " + task.path.substr(task.path.rfind('/') + 1));
  client.ask("window/workDoneProgress/create", {{"token", tokenOf(task.number)}},
             [](const Json &) {});
  client.notify("$/progress",
                {{"token", tokenOf(task.number)},
                 {"value", {{"kind", "begin"}, {"title", title}, {"cancellable", true}}}});
}

void Commands::printed(const TaskInfo &task, ChildProgram::Stream stream,
                       std::string_view text) const {
  client.notify(protocol::method::output,
                protocol::TaskOutput{tokenOf(task.number), commandOf(task).name,
                                     stream == ChildProgram::Stream::Error
                                         ? protocol::OutputStream::Stderr
                                         : protocol::OutputStream::Stdout,
                                     std::string(text)});
}

void Commands::ended(const TaskInfo &task, bool good) const {
  if (client.has("window/workDoneProgress"))
    client.notify("$/progress",
                  {{"token", tokenOf(task.number)},
                   {"value", {{"kind", "end"}, {"message", good ? "done" : "failed"}}}});
}

} // namespace cufc
