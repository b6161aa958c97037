// See tasks.h. A build or run is this program itself with a command, so that the terminal, CI and
// the editor do the same. Its messages are shown as it prints them, and read from there as
// problems.
#include "server/tasks.h"
#include "project/ask_build.h"
#include "server/server.h"
#include <filesystem>

namespace cufc {
namespace {

constexpr const char *flagsCommandName = "cufls.findFlags";

struct Command {
  const char *name;
  const char *title;
  // The arguments of cufls for those of the request: a URI, options and arguments of the program.
  std::vector<std::string> (*arguments)(const std::string &path, const Json &options);
};

std::vector<std::string> buildArguments(const std::string &path, const Json &options) {
  std::vector<std::string> result{"build", path};
  if (options.contains("target"))
    result.push_back("--target=" + options["target"].get<std::string>());
  return result;
}

std::vector<std::string> runArguments(const std::string &path, const Json &options) {
  std::vector<std::string> result{"run", options.value("target", path)};
  if (options.contains("device"))
    result.push_back("--device=" + options["device"].get<std::string>());
  if (options.contains("on"))
    result.push_back("--on=" + options["on"].get<std::string>());
  if (options.value("check", false))
    result.push_back("--check");
  if (options.contains("arguments")) {
    result.push_back("--");
    for (const Json &argument : options["arguments"])
      result.push_back(argument);
  }
  return result;
}

// {"from": "make"}; without it the first build that the folder has.
std::vector<std::string> flagsArguments(const std::string &path, const Json &options) {
  std::error_code error;
  std::string folder = std::filesystem::is_directory(path, error) ? path : directoryOf(path);
  std::vector<std::string> builds = buildsOf(folder);
  std::string from = builds.empty() ? "make" : builds.front();
  return {"flags", folder, "--again", "--from=" + options.value("from", from)};
}

constexpr Command commands[] = {
    {flagsCommandName, "Asking for flags of", flagsArguments},
    {"cufls.build", "Building", buildArguments},
    {"cufls.run", "Running", runArguments},
};

const Command *findCommand(const std::string &name) {
  for (const Command &command : commands)
    if (name == command.name)
      return &command;
  return nullptr;
}

// The path of a URI or of the form that users type.
std::string pathOf(const Json &argument) {
  std::string text = argument.get<std::string>();
  return text.find("://") == std::string::npos ? text : pathOfUri(text);
}

} // namespace

Tasks::~Tasks() = default;

Json Tasks::commandNames() {
  Json names = Json::array();
  for (const Command &command : commands)
    names.push_back(command.name);
  return names;
}

void Tasks::start(const Json &id, const std::string &name, const Json &arguments) {
  over.clear();
  const Command *command = findCommand(name);
  if (!command)
    throw ResponseError{ErrorCode::InvalidParams, "unknown command " + name};
  if (!arguments.is_array() || arguments.empty())
    throw ResponseError{ErrorCode::InvalidParams, name + " needs the URI of a file or folder"};
  const Json &first = arguments[0];
  Json options = arguments.size() > 1 ? arguments[1] : Json::object();
  if (first.is_object()) // {"uri": ..., "device": ...}
    options = first;
  std::string path = pathOf(first.is_object() ? first.at("uri") : first);
  std::vector<std::string> line = command->arguments(path, options);
  line.insert(line.begin(), "/proc/self/exe");
  std::error_code error;
  int number = ++last;
  Task &task = tasks[number];
  task.id = id;
  task.number = number;
  task.name = name;
  task.title = command->title + (" " + path.substr(path.rfind('/') + 1));
  task.folder = std::filesystem::is_directory(path, error) ? path : directoryOf(path);
  task.messages = std::make_unique<RunMessages>(task.folder);
  task.token = "cufls/task/" + std::to_string(number);
  // Each run on another machine is asked for.
  std::string machine = options.value("on", "");
  if (server.isTrusted() || (consented && name != flagsCommandName && machine.empty()))
    return run(task, line);
  if (name == flagsCommandName) { // it runs programs of the folder
    tasks.erase(number);
    throw ResponseError{ErrorCode::RequestFailed,
                        "the build is not asked: the workspace is not trusted"};
  }
  server.ask("window/showMessageRequest",
             {{"type", 2},
              {"message", "cufls: build and run programs of " + task.folder +
                              (machine.empty() ? "?" : " on " + machine + "?")},
              {"actions", {{{"title", "Run"}}, {{"title", "Cancel"}}}}},
             [this, number, line, local = machine.empty()](const Json &choice) {
               auto found = tasks.find(number);
               if (found == tasks.end())
                 return;
               if (choice.is_object() && choice.value("title", "") == "Run") {
                 consented |= local;
                 return run(found->second, line);
               }
               Json id = found->second.id;
               tasks.erase(found);
               server.fail(
                   id, {ErrorCode::RequestFailed, "nothing was run: the workspace is not trusted"});
             });
}

void Tasks::run(Task &task, const std::vector<std::string> &line) {
  problems.clear();
  int number = task.number;
  task.program = std::make_unique<ChildProgram>(
      loop,
      [this, number](ChildProgram::Stream stream, std::string_view text) {
        printed(tasks.at(number), stream, text);
      },
      [this, number](int status) { ended(number, status); });
  progress(task, {{"kind", "begin"}, {"title", task.title}, {"cancellable", true}});
  std::vector<std::string> command = line;
  // The name decides what the program is, and /proc/self would be another's in the child.
  command[0] = server.executable();
  if (!task.program->start(command, task.folder)) {
    Json id = task.id;
    progress(task, {{"kind", "end"}});
    tasks.erase(number);
    server.fail(id, {ErrorCode::RequestFailed, "cannot start " + command[0]});
  }
}

void Tasks::printed(Task &task, ChildProgram::Stream stream, std::string_view text) {
  bool isError = stream == ChildProgram::Stream::Error;
  server.notify("cufls/output", {{"task", task.token},
                                 {"command", task.name},
                                 {"stream", isError ? "stderr" : "stdout"},
                                 {"text", std::string(text)}});
  std::string &line = task.line;
  if (!isError)
    return;
  for (char c : text)
    if (c == '\n') {
      takeLine(task, line);
      line.clear();
    } else if (line.size() < 4000) {
      line += c;
    }
}

void Tasks::takeLine(Task &task, const std::string &line) {
  // Without a place: of the linker, of the project.
  if (line.starts_with("cufls: error: ") || line.starts_with("cufc: error: "))
    server.notify("window/showMessage", {{"type", 1}, {"message", line}});
  task.messages->take(line);
}

void Tasks::ended(int number, int exitStatus) {
  Task task = std::move(tasks.at(number));
  tasks.erase(number);
  over.push_back(std::move(task.program));
  for (Diagnostic &problem : task.messages->diagnostics())
    problems[problem.range.file].push_back(std::move(problem));
  progress(task, {{"kind", "end"}, {"message", exitStatus == 0 ? "done" : "failed"}});
  for (const auto &[path, list] : problems)
    server.publish(path);
  if (task.name == flagsCommandName)
    server.flagNotices.answered(task.folder, exitStatus == 0);
  if (task.id.is_null()) // the server's own
    return;
  if (task.cancelled)
    server.fail(task.id, {ErrorCode::RequestCancelled, "cancelled"});
  else
    server.answer(task.id, {{"exitCode", exitStatus}});
}

bool Tasks::cancel(const Json &id) {
  for (auto &[number, task] : tasks)
    if (task.id == id) {
      task.cancelled = true;
      if (task.program) {
        task.program->kill();
        return true;
      }
      server.fail(id, {ErrorCode::RequestCancelled, "cancelled"});
      tasks.erase(number);
      return true;
    }
  return false;
}

bool Tasks::cancelProgress(const Json &token) {
  for (auto &[number, task] : tasks)
    if (token == task.token)
      return cancel(task.id);
  return false;
}

std::vector<Diagnostic> Tasks::problemsOf(const std::string &path) const {
  auto found = problems.find(path);
  return found == problems.end() ? std::vector<Diagnostic>() : found->second;
}

void Tasks::progress(const Task &task, Json value) {
  if (!server.clientHas("window/workDoneProgress"))
    return;
  if (value["kind"] == "begin")
    server.ask("window/workDoneProgress/create", {{"token", task.token}}, [](const Json &) {});
  server.notify("$/progress", {{"token", task.token}, {"value", std::move(value)}});
}

} // namespace cufc
