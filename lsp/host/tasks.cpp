// See tasks.h.
#include "host/tasks.h"
#include "base/diagnostic_formats.h"
#include "host/host.h"
#include "project/ask_build.h"
#include "project/diagnostic_paths.h"
#include "project/run_messages.h"
#include <filesystem>

namespace cufc {
namespace {

constexpr const char *agree = "Run", *refuseIt = "Cancel";

std::string folderOf(const std::string &path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error) ? path : directoryOf(path);
}

std::vector<std::string> buildArguments(const TaskRequest &request) {
  std::vector<std::string> result{"build", request.path};
  if (request.target)
    result.push_back("--target=" + *request.target);
  return result;
}

std::vector<std::string> runArguments(const TaskRequest &request) {
  std::vector<std::string> result{"run", request.target.value_or(request.path)};
  if (request.device)
    result.push_back("--device=" + *request.device);
  if (request.machine)
    result.push_back("--on=" + *request.machine);
  if (request.check)
    result.emplace_back("--check");
  return result;
}

std::vector<std::string> flagsArguments(const TaskRequest &request) {
  std::string folder = folderOf(request.path);
  std::vector<std::string> builds = buildsOf(folder);
  std::string from = builds.empty() ? "make" : builds.front();
  return {"flags", folder, "--again", "--from=" + request.from.value_or(from)};
}

// Of cufls, with the file for its diagnostics.
std::vector<std::string> argumentsOf(const TaskRequest &request, const std::string &diagnostics,
                                     const std::string &times) {
  std::vector<std::string> result = request.kind == TaskKind::Build ? buildArguments(request)
                                    : request.kind == TaskKind::Run ? runArguments(request)
                                                                    : flagsArguments(request);
  result.push_back("--diagnostics-to=" + diagnostics);
  if (request.measure)
    result.push_back("--measure-to=" + times);
  if (!request.arguments.empty()) {
    result.emplace_back("--");
    result.insert(result.end(), request.arguments.begin(), request.arguments.end());
  }
  return result;
}

std::string diagnosticsFile(const TemporaryFolder &scratch) { return scratch.path("diagnostics"); }
std::string timesFolder(const TemporaryFolder &scratch) { return scratch.path("times"); }

} // namespace

Tasks::~Tasks() = default;

int Tasks::start(const TaskRequest &request, Ended ended) {
  over.clear();
  int number = ++last;
  Task &task = tasks[number];
  task.info = {number, request.kind, request.path, folderOf(request.path)};
  task.ended = std::move(ended);
  task.machine = request.machine.value_or("");
  task.check = request.check;
  task.measure = request.measure;
  task.scratch = std::make_unique<TemporaryFolder>();
  std::vector<std::string> arguments =
      argumentsOf(request, diagnosticsFile(*task.scratch), timesFolder(*task.scratch));
  bool asksBuild = request.kind == TaskKind::FindFlags; // which runs programs of the folder
  if (host.isTrusted() || (consented && !asksBuild && task.machine.empty()))
    run(task, arguments);
  else if (asksBuild)
    refuse(number, TaskEnd::How::Refused, "the build is not asked: the workspace is not trusted");
  else
    ask(task, arguments);
  return number;
}

void Tasks::ask(const Task &task, const std::vector<std::string> &arguments) {
  HostQuestion question{Severity::Warning,
                        "build and run programs of " + task.info.folder +
                            (task.machine.empty() ? "?" : " on " + task.machine + "?"),
                        {agree, refuseIt}};
  host.parts.observer.ask(question, [this, number = task.info.number,
                                     arguments](const std::string &choice) {
    auto found = tasks.find(number);
    if (found == tasks.end())
      return;
    if (choice != agree)
      return refuse(number, TaskEnd::How::Refused, "nothing was run: the workspace is not trusted");
    consented |= found->second.machine.empty();
    run(found->second, arguments);
  });
}

void Tasks::run(Task &task, const std::vector<std::string> &arguments) {
  for (const auto &[path, list] : std::exchange(problems, {}))
    host.parts.observer.diagnosticsChanged(path);
  int number = task.info.number;
  task.program = std::make_unique<ChildProgram>(
      loop,
      [this, number](ChildProgram::Stream stream, std::string_view text) {
        Task &printing = tasks.at(number);
        constexpr size_t mostKept = 1 << 20;
        if (printing.check && stream == ChildProgram::Stream::Error &&
            printing.said.size() < mostKept)
          printing.said += text;
        host.parts.observer.taskPrinted(printing.info, stream, text);
      },
      [this, number](int status) { finish(number, status); });
  host.parts.observer.taskBegan(task.info);
  std::vector<std::string> command = arguments;
  command.insert(command.begin(), program);
  if (task.program->start(command, task.info.folder))
    return;
  host.parts.observer.taskEnded(task.info, false);
  refuse(number, TaskEnd::How::Refused, "cannot start " + command[0]);
}

void Tasks::refuse(int number, TaskEnd::How how, const std::string &reason) {
  Task task = std::move(tasks.at(number));
  tasks.erase(number);
  over.push_back(std::move(task.program));
  task.ended({how, 0, reason});
}

void Tasks::finish(int number, int exitStatus) {
  Task task = std::move(tasks.at(number));
  tasks.erase(number);
  over.push_back(std::move(task.program));
  readProblems(task);
  readFindings(task);
  if (task.measure && !host.measurements.take(timesFolder(*task.scratch)).empty())
    host.parts.observer.timesMeasured();
  host.parts.observer.taskEnded(task.info, exitStatus == 0);
  for (const auto &[path, list] : std::map(problems))
    host.parts.observer.diagnosticsChanged(path);
  if (task.info.kind == TaskKind::FindFlags)
    host.buildAnswered(task.info.folder, exitStatus == 0);
  task.ended({task.cancelled ? TaskEnd::How::Cancelled : TaskEnd::How::Exited, exitStatus,
              task.cancelled ? "cancelled" : ""});
}

// What has no place, of the linker or of the project, is said at once.
void Tasks::readProblems(const Task &task) {
  std::string text;
  readFile(diagnosticsFile(*task.scratch), text);
  for (size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    std::optional<Diagnostic> problem =
        parseJsonLine(std::string_view(text).substr(begin, end - begin));
    if (!problem)
      continue;
    completePaths(*problem, task.info.folder);
    std::string path = problem->range.file;
    if (path.empty() && problem->severity == Severity::Error)
      host.parts.observer.say({Severity::Error, problem->message});
    if (!path.empty() && problem->range.line > 0 && !task.edited.contains(path))
      problems[path].push_back(std::move(*problem));
  }
}

// What a program with checks has found; messages of the build come by the file.
void Tasks::readFindings(const Task &task) {
  RunMessages messages(task.info.folder);
  messages.takeText(task.said);
  for (Diagnostic &found : messages.diagnostics()) {
    const DiagnosticInfo *row = findDiagnostic(found.code);
    const std::string path = found.range.file;
    if (row && std::string_view(row->group) == "run" && !path.empty() &&
        !task.edited.contains(path))
      problems[path].push_back(std::move(found));
  }
}

void Tasks::cancel(int number) {
  auto found = tasks.find(number);
  if (found == tasks.end())
    return;
  found->second.cancelled = true;
  if (found->second.program)
    found->second.program->kill();
  else
    refuse(number, TaskEnd::How::Cancelled, "cancelled");
}

std::vector<Diagnostic> Tasks::problemsOf(const std::string &path) const {
  auto found = problems.find(path);
  return found == problems.end() ? std::vector<Diagnostic>() : found->second;
}

void Tasks::forgetProblems(const std::string &path) {
  problems.erase(path);
  for (auto &[number, task] : tasks)
    task.edited.insert(path);
}

} // namespace cufc
