// Signals are blocked and taken by sigtimedwait. A program whose input is to end ignores SIGINT,
// which ssh leaves ignored, so that the terminal's Ctrl-C does not end it. It gets SIGTERM after a
// while.
#include "commands/job_process.h"
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

extern char **environ;

namespace cufc {
namespace {

sigset_t signalsTaken() {
  sigset_t set;
  sigemptyset(&set);
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGCHLD})
    sigaddset(&set, number);
  return set;
}

void takeNothing(int) {}

} // namespace

bool JobProcess::start(const Arguments &command, Output output, Ends how) {
  ends = how;
  signal(SIGPIPE, SIG_IGN);
  int in[2], out[2] = {-1, -1};
  if (pipe2(in, O_CLOEXEC) != 0 || (output == Output::Kept && pipe2(out, O_CLOEXEC) != 0))
    return false;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  if (output == Output::Kept)
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  sigset_t taken = signalsTaken(), none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  std::vector<char *> argv;
  for (const std::string &argument : command)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  sigprocmask(SIG_BLOCK, &taken, nullptr);
  signal(SIGINT, ends == Ends::WithInput ? SIG_IGN : SIG_DFL);
  int failed = posix_spawnp(&process, argv[0], &actions, &attributes, argv.data(), environ);
  signal(SIGINT, takeNothing);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  if (out[1] >= 0)
    close(out[1]);
  pipeIn = in[1];
  pipeOut = out[0];
  if (failed != 0)
    process = -1;
  errno = failed;
  return failed == 0;
}

void JobProcess::closeInput() {
  if (int descriptor = std::exchange(pipeIn, -1); descriptor >= 0)
    close(descriptor);
}

// What is there, without waiting for more.
void JobProcess::readOutput() {
  char text[4096];
  for (pollfd ready{pipeOut, POLLIN, 0}; pipeOut >= 0 && poll(&ready, 1, 0) > 0;) {
    ssize_t length = read(pipeOut, text, sizeof text);
    if (length > 0)
      kept.append(text, static_cast<size_t>(length));
    else if (length == 0 || errno != EINTR)
      close(std::exchange(pipeOut, -1));
  }
}

int JobProcess::wait() {
  if (process < 0)
    return 127;
  constexpr int patience = 100; // tenths of a second
  sigset_t taken = signalsTaken();
  int status = 0, waited = 0;
  while (waitpid(process, &status, WNOHANG) == 0) {
    readOutput();
    timespec tenth{0, 100'000'000};
    int number = sigtimedwait(&taken, nullptr, &tenth);
    if (number == SIGINT || number == SIGTERM || number == SIGHUP) {
      signalSeen = number;
      closeInput();
      if (ends == Ends::BySignal)
        kill(process, SIGINT);
    }
    if (signalSeen && ++waited == patience / 2)
      kill(process, SIGTERM);
    if (waited == patience)
      kill(process, SIGKILL);
  }
  readOutput();
  if (pipeOut >= 0)
    close(std::exchange(pipeOut, -1));
  process = -1;
  sigset_t pending;
  if (sigpending(&pending) == 0 && sigismember(&pending, SIGINT) == 1)
    signalSeen = SIGINT; // it has ended the program before it was taken here
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace cufc
