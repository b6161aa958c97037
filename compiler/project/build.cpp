// A queue of steps whose needs are done. A step is looked at only then, so the module files that it
// reads are what they will be; if all that it read last time has the same content, it is done
// without running anything. That is the early cut-off: a changed body leaves the module file as it
// was, and the files that use the module stay as they are.
#include "project/build.h"
#include "base/diag.h"
#include "base/files.h"
#include "project/dependency_file.h"
#include "project/process_pool.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <queue>
#include <sys/file.h>
#include <unistd.h>

namespace cufc {
namespace {

namespace fs = std::filesystem;

constexpr int64_t saveInterval = 500'000'000;

// Whether a path leads into a folder, whatever links lie on the way.
bool isInside(const std::string &path, const std::string &folder) {
  std::error_code error;
  fs::path parent = fs::weakly_canonical(fs::path(path).parent_path(), error);
  fs::path root = fs::weakly_canonical(folder, error);
  return !error &&
         std::mismatch(root.begin(), root.end(), parent.begin(), parent.end()).first == root.end();
}

// The record is a file, which may have come from anywhere: it cannot name files elsewhere.
void removeOutputs(const StepRecord &record, const std::set<std::string> &keep,
                   const std::string &folder) {
  for (const auto &[path, hash] : record.outputs)
    if (!keep.contains(path) && isInside(path, folder))
      std::remove(path.c_str());
}

class Lock {
public:
  Lock(const std::string &folder, const std::function<void()> &waits, Diagnostics &diagnostics) {
    descriptor = open((workFolder(folder) + "/lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0)
      return;
    diagnostics.report(Diag::BuildWaits, {}, folder);
    waits();
    while (flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~Lock() {
    if (descriptor >= 0)
      close(descriptor);
  }
  Lock(const Lock &) = delete;
  Lock &operator=(const Lock &) = delete;
  bool valid() const { return descriptor >= 0; }

private:
  int descriptor;
};

class Builder {
public:
  Builder(const Project &project, const BuildPlan &plan, const BuildOptions &options,
          const BuildEvents &events, Diagnostics &diagnostics)
      : project(project), plan(plan), options(options), events(events), diagnostics(diagnostics),
        wanted(stepsOf(plan, options.targets)), waiting(plan.steps.size()),
        users(plan.steps.size()), started(plan.steps.size()), commands(plan.steps.size()) {}

  BuildResult run() {
    if (!makeFolders()) {
      result.failed = 1;
      return result;
    }
    Lock lock(project.buildDirectory, events.waits, diagnostics);
    if (!lock.valid()) {
      cannotWrite(project.buildDirectory);
      return result;
    }
    std::string stateFile = workFolder(project.buildDirectory) + "/state";
    state.load(stateFile);
    removeOld();
    queueSteps();
    work(stateFile);
    result.left = total - done - result.failed;
    if ((changed || state.files.changed) && !state.save(stateFile))
      cannotWrite(stateFile);
    return result;
  }

private:
  bool makeFolders() {
    std::error_code error;
    std::string root = workFolder(project.buildDirectory);
    fs::create_directories(root + "/obj", error);
    fs::create_directories(root + "/mod", error);
    if (error) {
      errno = error.value();
      return cannotWrite(root);
    }
    for (const BuildStep &step : plan.steps)
      for (size_t i = 1; i < step.outputs.size(); ++i)
        moduleFolders.insert(directoryOf(step.outputs[i]));
    for (const BuildStep &step : plan.steps)
      for (size_t i = 0; i + 1 < step.command.size(); ++i)
        if (step.command[i] == "-module")
          moduleFolders.insert(step.command[i + 1]);
    for (const std::string &folder : moduleFolders)
      fs::create_directory(folder, error);
    std::string ignored = project.buildDirectory + "/.gitignore"; // of repositories
    if (!fs::exists(ignored, error) && !writeFile(ignored, "*\n"))
      return cannotWrite(ignored);
    return true;
  }

  bool cannotWrite(const std::string &path) {
    diagnostics.report(Diag::CannotWrite, {}, path, std::strerror(errno));
    result.failed = std::max<size_t>(result.failed, 1);
    return false;
  }

  // What sources and targets that are gone have left; a module file of them must not be found.
  void removeOld() {
    std::set<std::string> keys, outputs;
    for (const BuildStep &step : plan.steps) {
      keys.insert(step.key);
      outputs.insert(step.outputs.begin(), step.outputs.end());
    }
    changed |= std::erase_if(state.steps, [&](const auto &entry) {
                 bool gone = !keys.contains(entry.first);
                 if (gone)
                   removeOutputs(entry.second, outputs, project.buildDirectory);
                 return gone;
               }) > 0;
  }

  void queueSteps() {
    for (size_t step = 0; step < plan.steps.size(); ++step) {
      if (!wanted[step])
        continue;
      ++total;
      waiting[step] = plan.steps[step].needs.size();
      for (size_t needed : plan.steps[step].needs)
        users[needed].push_back(step);
      if (waiting[step] == 0)
        push(step);
    }
  }

  // What most steps wait for comes first, then what was named first.
  void push(size_t step) { ready.emplace(plan.steps[step].height, plan.steps.size() - step); }

  void work(const std::string &stateFile) {
    ProcessPool processes; // after the lock, which waits without it
    pool = &processes;
    int64_t saved = nanosecondsNow();
    while (true) {
      while (!ready.empty() && pool->running() < static_cast<size_t>(std::max(1, options.jobs))) {
        size_t step = plan.steps.size() - ready.top().second;
        ready.pop();
        consider(step);
      }
      if (pool->running() == 0)
        return;
      std::optional<FinishedProcess> finished = pool->wait();
      if (!finished) {
        pool->killAll();
        result.interruption = pool->interruption();
        return;
      }
      finish(*finished);
      if (changed && nanosecondsNow() - saved > saveInterval) {
        state.save(stateFile);
        saved = nanosecondsNow();
      }
    }
  }

  ContentHash commandHash(const BuildStep &step) const {
    std::string text = options.identity + '\n' + step.directory + '\n';
    for (const std::string &argument : step.command)
      text += argument + '\0';
    return contentHash(text);
  }

  void consider(size_t index) {
    const BuildStep &step = plan.steps[index];
    commands[index] = commandHash(step);
    auto known = state.steps.find(step.key);
    std::string reason = "new";
    if (known != state.steps.end()) {
      reason = known->second.outdated(commands[index], state.files);
      if (reason.empty()) {
        if (!known->second.messages.empty())
          events.messages(step, known->second.messages);
        ++result.upToDate;
        return succeed(index);
      }
    }
    events.begin(done + result.failed + pool->running() + 1, total, step, reason);
    // What an interrupted step leaves behind must not be taken for its result.
    if (known != state.steps.end()) {
      removeOutputs(known->second, {step.outputs.begin(), step.outputs.end()},
                    project.buildDirectory);
      state.steps.erase(known);
    }
    changed = true;
    started[index].time = fileClockNow();
    for (const std::string &input : step.inputs)
      if (!input.starts_with('-')) {
        state.files.forget(input); // it may have been looked at long ago
        started[index].stamps.push_back(stampOf(input));
        started[index].inputs.emplace_back(input, state.files.hash(input));
      }
    if (step.kind == BuildStep::Kind::Archive)
      std::remove(step.outputs[0].c_str()); // ar would keep members that are gone
    std::string program = step.command[0] == "cufc" ? options.compiler : step.command[0];
    pool->start(index, program, step.command, step.directory);
  }

  void finish(FinishedProcess &finished) {
    const BuildStep &step = plan.steps[finished.id];
    for (const std::string &output : step.outputs)
      state.files.forget(output);
    if (!finished.output.empty())
      events.messages(step, finished.output);
    if (finished.status != 0) {
      if (finished.signal != 0)
        diagnostics.report(Diag::CompilerEnded, {step.inputs.front(), 0, 0, 0, 0},
                           strsignal(finished.signal));
      else if (finished.error != 0)
        diagnostics.report(Diag::ToolMissing, {}, step.command[0]);
      ++result.failed;
      return;
    }
    StepRecord record;
    record.command = commands[finished.id];
    record.inputs = certainInputs(started[finished.id]);
    record.messages = std::move(finished.output);
    addDependencies(step, started[finished.id].time, record);
    for (size_t i = 0; i < step.outputs.size(); ++i)
      if (ContentHash hash = state.files.hash(step.outputs[i]); hash || i == 0)
        record.outputs.emplace_back(step.outputs[i], hash);
    state.steps[step.key] = std::move(record);
    ++(step.kind == BuildStep::Kind::Compile ? result.compiled : result.linked);
    succeed(finished.id);
  }

  struct Start {
    int64_t time = 0; // of the clock of files
    StepRecord::Files inputs;
    std::vector<FileStamp> stamps; // of the inputs, before their hashes
  };

  // A file that was changed since the step began may not be what it read; its hash becomes that of
  // nothing, which never fits.
  static StepRecord::Files certainInputs(const Start &start) {
    StepRecord::Files inputs = start.inputs;
    for (size_t i = 0; i < inputs.size(); ++i)
      if (stampOf(inputs[i].first) != start.stamps[i])
        inputs[i].second = {};
    return inputs;
  }

  // What else the compiler read.
  void addDependencies(const BuildStep &step, int64_t begin, StepRecord &record) {
    if (step.dependencies.empty())
      return;
    std::string rule;
    readFile(step.dependencies, rule);
    for (const std::string &name : namesInRule(rule)) {
      std::string path = absolutePath(name, step.directory);
      auto same = [&](const auto &input) { return input.first == path; };
      bool own = std::find(step.outputs.begin(), step.outputs.end(), path) != step.outputs.end();
      if (own || std::any_of(record.inputs.begin(), record.inputs.end(), same))
        continue;
      bool module = moduleFolders.contains(directoryOf(path));
      bool late = !module && stampOf(path).time >= begin;
      record.inputs.emplace_back(path, late ? ContentHash{} : state.files.hash(path));
    }
  }

  void succeed(size_t index) {
    ++done;
    for (size_t user : users[index])
      if (--waiting[user] == 0)
        push(user);
  }

  const Project &project;
  const BuildPlan &plan;
  const BuildOptions &options;
  const BuildEvents &events;
  Diagnostics &diagnostics;
  ProcessPool *pool = nullptr;
  BuildState state;
  BuildResult result;
  std::vector<bool> wanted;
  std::vector<size_t> waiting; // how many needs of each step are not done
  std::vector<std::vector<size_t>> users;
  std::vector<Start> started;
  std::vector<ContentHash> commands;
  std::priority_queue<std::pair<size_t, size_t>> ready;
  std::set<std::string> moduleFolders;
  size_t total = 0, done = 0;
  bool changed = false;
};

} // namespace

BuildResult build(const Project &project, const BuildPlan &plan, const BuildOptions &options,
                  const BuildEvents &events, Diagnostics &diagnostics) {
  return Builder(project, plan, options, events, diagnostics).run();
}

bool cleanBuildFolder(const std::string &folder, Diagnostics &diagnostics) {
  std::error_code error;
  const std::string work = workFolder(folder);
  if (!fs::exists(folder, error))
    return true;
  if (!fs::is_directory(fs::symlink_status(work, error))) {
    diagnostics.report(Diag::ForeignBuildFolder, {}, folder);
    return false;
  }
  Lock lock(folder, [] {}, diagnostics); // stays, since another build may wait for it
  BuildState state;
  state.load(work + "/state");
  for (const auto &[key, record] : state.steps)
    removeOutputs(record, {}, folder);
  for (const auto &entry : fs::directory_iterator(work, error))
    if (entry.path().filename() != "lock")
      fs::remove_all(entry.path(), error);
  if (!error)
    return true;
  diagnostics.report(Diag::CannotWrite, {}, folder, error.message());
  return false;
}

} // namespace cufc
