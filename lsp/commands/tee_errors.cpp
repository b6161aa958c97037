// The process that was called goes on as the copier and ends as the other one does, so that whoever
// waits for it waits for the whole text. The new process keeps stdin and stdout, the terminal too.
#include "commands/tee_errors.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cufc {
namespace {

void writeAll(int file, const char *text, size_t length) {
  while (length > 0) {
    ssize_t written = write(file, text, length);
    if (written < 0 && errno != EINTR)
      return;
    text += written > 0 ? written : 0;
    length -= written > 0 ? static_cast<size_t>(written) : 0;
  }
}

[[noreturn]] void endAs(int status) {
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

[[noreturn]] void copy(int from, int to, pid_t child) {
  // The keyboard's signals are for the program, which may handle them.
  signal(SIGINT, SIG_IGN);
  signal(SIGQUIT, SIG_IGN);
  char text[4096];
  ssize_t length;
  while ((length = read(from, text, sizeof text)) > 0 || (length < 0 && errno == EINTR))
    if (length > 0) {
      writeAll(STDERR_FILENO, text, static_cast<size_t>(length));
      writeAll(to, text, static_cast<size_t>(length));
    }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  endAs(status);
}

} // namespace

bool teeErrors(const std::string &file) {
  int to = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  int ends[2];
  if (to < 0 || pipe2(ends, O_CLOEXEC) != 0)
    return false;
  pid_t child = fork();
  if (child < 0)
    return false;
  if (child > 0) {
    close(ends[1]);
    copy(ends[0], to, child);
  }
  dup2(ends[1], STDERR_FILENO);
  return true;
}

} // namespace cufc
