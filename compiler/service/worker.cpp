// The caller's side of a worker.
#include "service/worker.h"
#include "analysis/serialise.h"
#include "base/diag.h"
#include "base/large_stack.h"
#include "service/worker_loop.h"
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cufc {

std::unique_ptr<Worker> Worker::start(const FrontendOptions &defaults) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return nullptr;
  std::fflush(nullptr);
  pid_t pid = fork();
  if (pid == 0) {
    // A second fork, so that nobody has to wait for the worker.
    if (fork() != 0)
      _exit(0);
    close(ends[0]);
    onLargeStack([&] {
      serveAnalyses(ends[1], defaults, {});
      return 0;
    });
    _exit(0);
  }
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return nullptr;
  }
  waitpid(pid, nullptr, 0);
  return std::unique_ptr<Worker>(new Worker(ends[0]));
}

Worker::~Worker() { close(end); }

std::unique_ptr<Worker> Worker::snapshot(const FrontendOptions &front,
                                         const std::vector<std::string> &modules) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return nullptr;
  AnalysisRequest request{front, {}};
  request.front.text = "";
  for (const std::string &module : modules)
    *request.front.text += module + "\n";
  bool sent = sendFrame(end, {FrameKind::Snapshot, 0, 0, toBytes(request), ends[1]});
  close(ends[1]);
  if (!sent) {
    close(ends[0]);
    return nullptr;
  }
  return std::unique_ptr<Worker>(new Worker(ends[0]));
}

Worker::Running Worker::begin(const AnalysisRequest &request) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return {};
  std::uint32_t id = ++lastId;
  bool sent = sendFrame(end, {FrameKind::Analyse, id, 0, toBytes(request), ends[1]});
  close(ends[1]);
  if (sent)
    return {id, ends[0]};
  close(ends[0]);
  return {};
}

void Worker::cancel(std::uint32_t id) { sendFrame(end, {FrameKind::Cancel, id, 0, {}, -1}); }

Analysis ResultReader::finish(const std::string &path, const Frame &ended) const {
  std::optional<Analysis> result;
  std::string_view rest = bytes;
  std::uint64_t size = 0;
  while (rest.size() >= sizeof size) {
    std::memcpy(&size, rest.data(), sizeof size);
    rest.remove_prefix(sizeof size);
    if (size > rest.size())
      break;
    if (std::optional<Analysis> part = fromBytes(rest.substr(0, size)))
      result = std::move(part);
    rest.remove_prefix(size);
  }
  if (!result) {
    result.emplace();
    result->files = {path};
    result->complete = false;
  }
  Diagnostics diagnostics;
  const SourceRange place{path, 1, 1, 1, 1};
  if (WIFSIGNALED(ended.status) && WTERMSIG(ended.status) == SIGXCPU)
    diagnostics.report(Diag::AnalysisTooLong, place, analysisSeconds);
  else if (!WIFEXITED(ended.status) || WEXITSTATUS(ended.status) != 0)
    diagnostics.report(Diag::CompilerCrash, place, ended.payload,
                       WIFSIGNALED(ended.status) ? strsignal(WTERMSIG(ended.status))
                                                 : "it ended early");
  for (const Diagnostic &diagnostic : diagnostics.list())
    result->diagnostics.push_back(diagnostic);
  return std::move(*result);
}

} // namespace cufc
