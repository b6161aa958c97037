// See child_program.h. The program's standard streams close when it ends or a little before, so the
// exit status is asked for then, again and again until it is there.
#include "host/child_program.h"
#include "base/spawn_folder.h"
#include <asio/buffer.hpp>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace cufc {

ChildProgram::ChildProgram(asio::io_context &loop, Printed printed, Ended ended)
    : output(loop), error(loop), timer(loop), printed(std::move(printed)), ended(std::move(ended)),
      outputBuffer(size_t(1) << 14, '\0'), errorBuffer(size_t(1) << 14, '\0') {}

ChildProgram::~ChildProgram() {
  kill();
  if (process > 0)
    waitpid(process, nullptr, 0);
}

bool ChildProgram::start(const std::vector<std::string> &command, const std::string &folder) {
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0)
    return false;
  if (pipe2(err, O_CLOEXEC) != 0) {
    close(out[0]);
    close(out[1]);
    return false;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
  cufc::SpawnedProgram program = cufc::inFolder(actions, folder, {command.front(), command});
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  std::vector<char *> arguments;
  for (const std::string &argument : program.arguments)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  bool started =
      posix_spawnp(&process, arguments[0], &actions, &attributes, arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(out[1]);
  close(err[1]);
  output.assign(out[0]);
  error.assign(err[0]);
  if (!started) {
    process = -1;
    return false;
  }
  open = 2;
  read(output, outputBuffer, Stream::Output);
  read(error, errorBuffer, Stream::Error);
  return true;
}

void ChildProgram::kill() {
  if (process > 0)
    ::kill(-process, SIGKILL);
}

void ChildProgram::read(asio::posix::stream_descriptor &pipe, std::string &buffer, Stream stream) {
  pipe.async_read_some(asio::buffer(buffer),
                       [this, &pipe, &buffer, stream](const asio::error_code &failed, size_t n) {
                         if (failed == asio::error::operation_aborted)
                           return;
                         if (failed)
                           return streamEnded();
                         printed(stream, {buffer.data(), n});
                         read(pipe, buffer, stream);
                       });
}

void ChildProgram::streamEnded() {
  if (--open == 0)
    reap();
}

void ChildProgram::reap() {
  int status = 0;
  if (waitpid(process, &status, WNOHANG) == 0) {
    timer.expires_after(std::chrono::milliseconds(5));
    timer.async_wait([this](const asio::error_code &failed) {
      if (!failed)
        reap();
    });
    return;
  }
  process = -1;
  ended(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

} // namespace cufc
