// See folder_scan.h. Nothing comes through the pipe: its end is that of the process, whose status
// says what became of the scan.
#include "host/folder_scan.h"
#include "project/kept_scan.h"
#include <asio/buffer.hpp>
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cufc {
namespace {

constexpr int scanChanged = 1;

[[noreturn]] void scan(const std::string &folder, const std::string &kept) {
  setpriority(PRIO_PROCESS, 0, 10);
  for (int handled : {SIGTERM, SIGINT, SIGPIPE})
    signal(handled, SIG_DFL);
  ScanOptions options;
  options.kept = kept;
  _exit(scanFiles(folder, true, options).changed ? scanChanged : 0);
}

} // namespace

void FolderScan::start(const std::string &wanted, const std::string &kept) {
  cancel();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return;
  folder = wanted;
  process = fork();
  if (process == 0) {
    constexpr int own = 3; // held until the end
    dup2(ends[1], own);
    close_range(own + 1, ~0U, 0);
    int nowhere = open("/dev/null", O_RDWR);
    for (int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      dup2(nowhere, standard);
    scan(folder, kept);
  }
  close(ends[1]);
  pipe = std::make_shared<asio::posix::stream_descriptor>(loop, ends[0]);
  pipe->async_read_some(asio::buffer(&byte, 1),
                        [this, mine = std::weak_ptr(pipe)](const asio::error_code &error, size_t) {
                          if (!mine.expired() && error != asio::error::operation_aborted)
                            finish();
                        });
}

void FolderScan::cancel() {
  if (pipe) {
    asio::error_code ignored;
    pipe->close(ignored);
    pipe.reset();
  }
  if (process > 0) {
    kill(process, SIGTERM);
    waitpid(process, nullptr, 0);
  }
  process = -1;
}

void FolderScan::finish() {
  pipe.reset();
  int status = 0;
  waitpid(process, &status, 0);
  process = -1;
  ended(std::string(folder), !WIFEXITED(status)                   ? Result::Killed
                             : WEXITSTATUS(status) == scanChanged ? Result::Changed
                                                                  : Result::Same);
}

} // namespace cufc
