// posix_spawn, a pipe for each program's output, poll over the pipes and a signalfd. A compiler
// starts programs of its own, so its whole process group is ended with it.
#include "project/process_pool.h"
#include "base/spawn_folder.h"
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace cufc {
namespace {

sigset_t endingSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (int each : {SIGINT, SIGTERM, SIGHUP})
    sigaddset(&set, each);
  return set;
}

int spawn(const std::string &file, const std::vector<std::string> &arguments,
          const std::string &directory, int outputEnd, const sigset_t &mask, int &pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, outputEnd, 1);
  posix_spawn_file_actions_adddup2(&actions, outputEnd, 2);
  SpawnedProgram program = inFolder(actions, directory, {file, arguments});
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigmask(&attributes, &mask);
  std::vector<char *> argv;
  for (const std::string &argument : program.arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  int error = posix_spawnp(&pid, program.file.c_str(), &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

} // namespace

ProcessPool::ProcessPool() {
  sigset_t set = endingSignals();
  sigprocmask(SIG_BLOCK, &set, &oldMask);
  signalDescriptor = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

ProcessPool::~ProcessPool() {
  killAll();
  if (signalDescriptor >= 0)
    close(signalDescriptor);
  sigprocmask(SIG_SETMASK, &oldMask, nullptr);
}

void ProcessPool::start(size_t id, const std::string &file,
                        const std::vector<std::string> &arguments, const std::string &directory) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    failed.push_back({id, -1, 0, errno, {}});
    return;
  }
  int pid = -1;
  int error = spawn(file, arguments, directory, ends[1], oldMask, pid);
  close(ends[1]);
  if (error == 0) {
    processes.push_back({id, pid, ends[0], {}});
    return;
  }
  close(ends[0]);
  failed.push_back({id, -1, 0, error, {}});
}

// False at the end of the output.
bool ProcessPool::readOutput(Running &process) {
  char buffer[1 << 14];
  ssize_t count = read(process.readEnd, buffer, sizeof buffer);
  if (count > 0)
    process.output.append(buffer, count);
  return count > 0 || (count < 0 && errno == EINTR);
}

FinishedProcess ProcessPool::reap(Running &process) {
  close(process.readEnd);
  int status = 0;
  while (waitpid(process.pid, &status, 0) < 0 && errno == EINTR) {
  }
  FinishedProcess finished{process.id, -1, 0, 0, std::move(process.output)};
  if (WIFEXITED(status))
    finished.status = WEXITSTATUS(status);
  else
    finished.signal = WTERMSIG(status);
  return finished;
}

std::optional<FinishedProcess> ProcessPool::wait() {
  if (!failed.empty()) {
    FinishedProcess first = failed.back();
    failed.pop_back();
    return first;
  }
  while (!processes.empty()) {
    std::vector<pollfd> list;
    for (const Running &process : processes)
      list.push_back({process.readEnd, POLLIN, 0});
    list.push_back({signalDescriptor, POLLIN, 0});
    if (poll(list.data(), list.size(), -1) < 0 && errno != EINTR)
      return std::nullopt;
    signalfd_siginfo information;
    if (list.back().revents && read(signalDescriptor, &information, sizeof information) > 0) {
      signal = static_cast<int>(information.ssi_signo);
      return std::nullopt;
    }
    for (size_t i = 0; i < processes.size(); ++i) {
      if (!list[i].revents || readOutput(processes[i]))
        continue;
      FinishedProcess finished = reap(processes[i]);
      processes.erase(processes.begin() + static_cast<ptrdiff_t>(i));
      return finished;
    }
  }
  return std::nullopt;
}

void ProcessPool::killAll() {
  for (Running &process : processes)
    kill(-process.pid, SIGKILL);
  for (Running &process : processes)
    reap(process);
  processes.clear();
  failed.clear();
}

} // namespace cufc
