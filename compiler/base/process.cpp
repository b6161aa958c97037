// Child processes by posix_spawn, which does not copy the address space of the caller; by fork
// where that is wanted.
#include "base/process.h"
#include "base/child_processes.h"
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <string_view>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace cufc {

BackgroundProcess::BackgroundProcess(const std::vector<std::string> &command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 2);
  std::vector<char *> argv;
  for (const std::string &argument : command)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  if (posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ) != 0)
    pid = -1;
  endWithUs(pid);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  readEnd = ends[0];
}

BackgroundProcess::BackgroundProcess(const std::function<ProcessResult()> &work) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return;
  pid = fork();
  if (pid == 0) {
    forgetChildren(); // they are those of the process that was copied
    const ProcessResult result = work();
    for (size_t done = 0; done < result.output.size();) {
      const ssize_t n = write(ends[1], result.output.data() + done, result.output.size() - done);
      if (n < 0 && errno != EINTR)
        break;
      done += n > 0 ? n : 0;
    }
    _exit(result.status < 0 ? 255 : result.status);
  }
  endWithUs(pid);
  close(ends[1]);
  readEnd = ends[0];
}

ProcessResult BackgroundProcess::finish() {
  ProcessResult result{-1, {}};
  if (readEnd >= 0) {
    char buffer[4096];
    for (ssize_t n; (n = read(readEnd, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR);)
      if (n > 0)
        result.output.append(buffer, n);
    close(readEnd);
    readEnd = -1;
  }
  if (pid < 0)
    return result;
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  hasEnded(pid);
  pid = -1;
  if (WIFEXITED(status))
    result.status = WEXITSTATUS(status);
  return result;
}

ProcessResult runProcess(const std::vector<std::string> &command) {
  return BackgroundProcess(command).finish();
}

std::string findProgram(const std::string &name) {
  const char *path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    size_t colon = rest.find(':');
    std::string folder(rest.substr(0, colon));
    std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    struct stat status;
    if (stat(candidate.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
        access(candidate.c_str(), X_OK) == 0)
      return candidate;
    rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
  }
  return {};
}

std::string quoteCommand(const std::vector<std::string> &command) {
  std::string text;
  for (const std::string &argument : command) {
    if (!text.empty())
      text += ' ';
    bool plain = !argument.empty() &&
                 argument.find_first_of(" \t\n'\"\\$&;|<>()*?[]~#`") == std::string::npos;
    if (plain) {
      text += argument;
      continue;
    }
    text += '\'';
    for (char c : argument)
      text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

} // namespace cufc
