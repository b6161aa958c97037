// See indexer.h. What is found comes through a pipe: frames of a length and an archive.
#include "host/indexer.h"
#include "analysis/serialise.h"
#include "base/archive.h"
#include "base/files.h"
#include "service/frames.h"
#include <asio/buffer.hpp>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <set>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cufc {
namespace {

constexpr std::uint64_t cacheBytes = std::uint64_t(1) << 30;

// Runs in the process of its own, which has nothing open but the pipe.
void index(const Indexer::Work &work, int pipe) {
  TemporaryFolder modules;
  std::set<size_t> sent;
  ProjectCheckOptions options = work.options;
  options.moduleDirectory = modules.root();
  options.finished = [&](size_t source, const CheckedSource &checked,
                         const std::vector<ModuleFile> &files) {
    if (!sent.insert(source).second)
      return;
    ArchiveWriter writer;
    writer(source, checked.cached, toBytes(checked.analysis), files, checked.outside);
    ArchiveWriter frame;
    frame(writer.bytes);
    if (!writeAll(pipe, frame.bytes))
      raise(SIGTERM);
  };
  AnalysisCache cache(work.cacheFolder);
  for (const std::vector<size_t> &stage : work.stages) {
    Diagnostics ignored;
    checkProject(work.project, stage, options, cache, ignored);
  }
  cache.prune(cacheBytes);
}

} // namespace

void Indexer::start(const Work &work) {
  cancel();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return;
  process = fork();
  if (process == 0) {
    constexpr int own = 3;
    dup2(ends[1], own);
    close_range(own + 1, ~0U, 0);
    int nowhere = open("/dev/null", O_RDWR);
    for (int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      dup2(nowhere, standard);
    setpriority(PRIO_PROCESS, 0, 10);
    for (int handled : {SIGTERM, SIGINT, SIGPIPE})
      signal(handled, SIG_DFL);
    index(work, own);
    _exit(0);
  }
  close(ends[1]);
  bytes.clear();
  buffer.assign(size_t(1) << 18, '\0');
  pipe = std::make_shared<asio::posix::stream_descriptor>(loop, ends[0]);
  read();
}

void Indexer::cancel() {
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

void Indexer::read() {
  // A read may have ended already when the process is cancelled; then nobody waits for it.
  auto read = [this, mine = std::weak_ptr(pipe)](const asio::error_code &error, size_t n) {
    if (mine.expired() || error == asio::error::operation_aborted)
      return;
    if (error)
      return finish();
    bytes.append(buffer.data(), n);
    takeFrames();
    if (pipe && pipe == mine.lock())
      this->read();
  };
  pipe->async_read_some(asio::buffer(buffer), std::move(read));
}

void Indexer::takeFrames() {
  size_t at = 0;
  for (size_t size = 0; bytes.size() - at >= sizeof size; at += sizeof size + size) {
    std::memcpy(&size, bytes.data() + at, sizeof size);
    if (bytes.size() - at - sizeof size < size)
      break;
    ArchiveReader reader(std::string_view(bytes).substr(at + sizeof size, size));
    Found one;
    std::string analysis;
    reader(one.source, one.cached, analysis, one.modules, one.outside);
    std::optional<Analysis> read = fromBytes(analysis);
    if (!reader.finished() || !read)
      continue;
    one.analysis = std::move(*read);
    const auto mine = pipe;
    found(std::move(one));
    if (pipe != mine) // cancelled or begun anew by what it found
      return bytes.clear();
  }
  bytes.erase(0, at);
}

void Indexer::finish() {
  pipe.reset();
  int status = 0;
  waitpid(process, &status, 0);
  process = -1;
  ended(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

} // namespace cufc
