// fork, a pipe for the child's standard error, and one shared page that names the current stage.
#include "driver/child.h"
#include "base/child_processes.h"
#include "base/diag.h"
#include "base/large_stack.h"
#include "base/terminal_text.h"
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cufc {

namespace {

std::string readAll(int descriptor) {
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(descriptor, buffer, sizeof buffer)) != 0;) {
    if (n > 0)
      text.append(buffer, n);
    else if (errno != EINTR)
      break;
  }
  return text;
}

} // namespace

Child::Child(std::string name, DiagnosticFormat format, const std::function<int()> &work)
    : name(std::move(name)), format(format) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    failure = errno;
    return;
  }
  std::fflush(nullptr);
  pid = fork();
  if (pid == 0) {
    forgetChildren(); // they are those of the process that was copied
    stage.enter();
    dup2(ends[1], STDERR_FILENO);
    int status = onLargeStack(work);
    std::fflush(nullptr);
    _exit(status);
  }
  endWithUs(pid);
  if (pid < 0)
    failure = errno;
  close(ends[1]);
  readEnd = ends[0];
}

int Child::finish() {
  std::string output;
  int status = finish(output);
  output = colouredTerminalText(output);
  std::fwrite(output.data(), 1, output.size(), stderr);
  return status;
}

void Child::stop() {
  if (pid > 0)
    kill(pid, SIGTERM);
  std::string output;
  finish(output);
}

int Child::finish(std::string &output) {
  std::string said = readEnd >= 0 ? readAll(readEnd) : "";
  if (readEnd >= 0)
    close(readEnd);
  int status = 0;
  while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  hasEnded(pid);
  if (pid > 0 && WIFEXITED(status)) {
    output += said;
    return WEXITSTATUS(status);
  }
  Diagnostics diagnostics(format);
  if (pid > 0)
    diagnostics.report(Diag::CompilerCrash, SourceRange{name, 0, 0, 0, 0}, stage.name(),
                       std::string(strsignal(WTERMSIG(status))));
  else // the system has no process or descriptor left
    diagnostics.report(Diag::CannotRun, {}, "cufc", std::string(std::strerror(failure)));
  output += diagnostics.take();
  return 1;
}

} // namespace cufc
