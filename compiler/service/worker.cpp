// The caller's side of a worker. An analysis is over when its last result has come; to wait for the
// end of its process, which has much memory to give back, would take longer.
#include "service/worker.h"
#include "analysis/serialise.h"
#include "base/diag.h"
#include "base/files.h"
#include "base/large_stack.h"
#include "service/worker_loop.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cufc {
namespace {

constexpr int pipeBytes = 1 << 20; // so that the analysis need not wait for the reader

const Frame inTheWorker{FrameKind::Ended, 0, 1 << 8, "in the worker", -1};

bool canRead(int descriptor) {
  pollfd wanted{descriptor, POLLIN, 0};
  return poll(&wanted, 1, 0) == 1;
}

// What is known of the file at `path` by the last result that came. A crash and a limit that was
// met are reported at the file.
Analysis resultOf(const std::string &bytes, bool isLast, const std::string &path,
                  const Frame &ended) {
  std::optional<Analysis> result = fromBytes(bytes);
  if (!result) {
    result.emplace();
    result->files = {path};
    result->complete = false;
  }
  if (isLast)
    return std::move(*result);
  Diagnostics diagnostics;
  const SourceRange place{path, 1, 1, 1, 1};
  if (WIFSIGNALED(ended.status) && WTERMSIG(ended.status) == SIGXCPU)
    diagnostics.report(Diag::AnalysisTooLong, place, analysisSeconds);
  else
    diagnostics.report(Diag::CompilerCrash, place, ended.payload,
                       WIFSIGNALED(ended.status) ? strsignal(WTERMSIG(ended.status))
                                                 : "it ended early");
  for (const Diagnostic &diagnostic : diagnostics.list())
    result->diagnostics.push_back(diagnostic);
  return std::move(*result);
}

// A crash is a statement of what is missing.
FileCosts costsOf(const std::string &bytes, bool isLast, int gpu, const Frame &ended) {
  FileCosts costs;
  if (isLast && fromBytes(bytes, costs))
    return costs;
  costs = {};
  costs.gpu = costs.compiledFor = gpu;
  costs.missing = "the compiler failed " + ended.payload;
  return costs;
}

} // namespace

bool endedEarly(const Analysis &analysis) {
  return std::any_of(analysis.diagnostics.begin(), analysis.diagnostics.end(),
                     [](const Diagnostic &diagnostic) {
                       const DiagnosticInfo *row = findDiagnostic(diagnostic.code);
                       return row && std::string_view(row->group) == "internal";
                     });
}

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
    // Nothing else of the caller's stays open here: files, sockets, other workers.
    constexpr int own = 3;
    dup2(ends[1], own);
    close_range(own + 1, ~0U, 0);
    onLargeStack([&] {
      serveAnalyses(own, defaults, {});
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

Worker::~Worker() {
  for (const Job &job : jobs)
    close(job.pipe);
  close(socket);
  close(news);
}

Worker::Worker(int socket) : socket(socket), news(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

// Both ends may have much to say. If both only waited until the other takes it, that would be for
// ever, so what comes is taken while there is no room for what goes.
bool Worker::send(const Frame &frame) {
  return sendFrame(socket, frame, [this] {
    pollfd wanted{socket, POLLIN | POLLOUT, 0};
    if (poll(&wanted, 1, -1) < 0)
      return errno == EINTR;
    if (wanted.revents & POLLIN) {
      receive();
      eventfd_write(news, 1);
    }
    return !gone;
  });
}

// Its owner has to hear of it even if it did not watch the socket yet.
void Worker::noteEnd() {
  gone = true;
  eventfd_write(news, 1);
}

void Worker::receive() {
  Frame frame;
  if (!receiveFrame(socket, frame))
    noteEnd();
  if (!gone && frame.kind == FrameKind::Started)
    process = frame.status;
  for (Job &job : jobs)
    if (!gone && job.id == frame.id)
      job.ended = frame;
}

std::unique_ptr<Worker> Worker::snapshot(const FrontendOptions &front,
                                         const std::vector<std::string> &modules) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return nullptr;
  AnalysisRequest request{front, {}};
  request.front.text = "";
  for (const std::string &module : modules)
    *request.front.text += module + "\n";
  bool sent = send({FrameKind::Snapshot, 0, 0, toBytes(request), ends[1]});
  close(ends[1]);
  if (!sent) {
    close(ends[0]);
    return nullptr;
  }
  return std::unique_ptr<Worker>(new Worker(ends[0]));
}

std::uint64_t Worker::memory() const {
  std::string text;
  if (process == 0 || !readFile("/proc/" + std::to_string(process) + "/smaps_rollup", text))
    return 0;
  constexpr std::string_view name = "Private_Dirty:";
  size_t found = text.find(name);
  return found == std::string::npos
             ? 0
             : std::strtoull(text.c_str() + found + name.size(), nullptr, 10) * 1024;
}

std::uint32_t Worker::begin(const AnalysisRequest &request, Done done) {
  return begin(FrameKind::Analyse, toBytes(request),
               [path = request.front.path,
                done = std::move(done)](const std::string &bytes, bool isLast, const Frame &ended) {
                 done(resultOf(bytes, isLast, path, ended));
               });
}

std::uint32_t Worker::measure(const CostRequest &request, Measured done) {
  return begin(FrameKind::Measure, toBytes(request),
               [gpu = request.gpu, done = std::move(done)](const std::string &bytes, bool isLast,
                                                           const Frame &ended) {
                 done(costsOf(bytes, isLast, gpu, ended));
               });
}

std::uint32_t Worker::begin(FrameKind kind, std::string payload,
                            std::function<void(const std::string &, bool, const Frame &)> done) {
  int ends[2];
  if (gone || pipe2(ends, O_CLOEXEC) != 0)
    return 0;
  std::uint32_t id = ++lastId;
  if (!send({kind, id, 0, std::move(payload), ends[1]}))
    noteEnd();
  close(ends[1]);
  if (gone) {
    close(ends[0]);
    return 0;
  }
  fcntl(ends[0], F_SETPIPE_SZ, pipeBytes);
  jobs.push_back({id, ends[0], std::move(done), {}, {}, false, {}});
  return id;
}

void Worker::cancel(std::uint32_t id) {
  for (size_t i = 0; i < jobs.size(); ++i)
    if (jobs[i].id == id) {
      close(jobs[i].pipe);
      jobs.erase(jobs.begin() + static_cast<long>(i));
      send({FrameKind::Cancel, id, 0, {}, -1});
      return;
    }
}

void Worker::addDescriptors(std::vector<int> &descriptors) const {
  for (const Job &job : jobs)
    if (job.pipe >= 0)
      descriptors.push_back(job.pipe);
  descriptors.push_back(news);
  if (!gone)
    descriptors.push_back(socket);
}

void Worker::advance() {
  eventfd_t ignored = 0;
  eventfd_read(news, &ignored);
  for (Job &job : jobs)
    while (job.pipe >= 0 && canRead(job.pipe))
      read(job);
  while (!gone && canRead(socket))
    receive();
  for (Job &job : jobs)
    if (gone && !job.ended)
      job.ended = inTheWorker;
  std::weak_ptr<bool> self = alive;
  while (!self.expired() && finishOne()) {
  }
}

// One piece, or the end, after which the pipe is closed.
void Worker::read(Job &job) {
  char buffer[65536];
  ssize_t n = ::read(job.pipe, buffer, sizeof buffer);
  if (n > 0) {
    job.bytes.append(buffer, static_cast<size_t>(n));
    takeResults(job);
  } else if (n == 0 || errno != EINTR) {
    close(job.pipe);
    job.pipe = -1;
  }
}

void Worker::takeResults(Job &job) {
  std::uint64_t head = 0;
  while (job.bytes.size() >= sizeof head) {
    std::memcpy(&head, job.bytes.data(), sizeof head);
    std::uint64_t size = head & ~lastResult;
    if (job.bytes.size() - sizeof head < size)
      return;
    job.result = job.bytes.substr(sizeof head, size);
    job.bytes.erase(0, sizeof head + size);
    job.isLast = head & lastResult;
  }
}

// Calls `done` of a job that is over, if there is one. What a crash left in the pipe is read first.
bool Worker::finishOne() {
  auto found = std::find_if(jobs.begin(), jobs.end(),
                            [](const Job &job) { return job.isLast || job.ended; });
  if (found == jobs.end())
    return false;
  Job job = std::move(*found);
  jobs.erase(found);
  while (job.pipe >= 0 && !job.isLast)
    read(job);
  if (job.pipe >= 0)
    close(job.pipe);
  job.done(job.result, job.isLast, job.ended.value_or(inTheWorker));
  return true;
}

void waitFor(const std::vector<int> &descriptors) {
  std::vector<pollfd> wanted;
  for (int descriptor : descriptors)
    wanted.push_back({descriptor, POLLIN, 0});
  poll(wanted.data(), wanted.size(), -1);
}

Analysis analyseNow(Worker &worker, const AnalysisRequest &request) {
  std::optional<Analysis> result;
  std::uint32_t id =
      worker.begin(request, [&](Analysis analysis) { result = std::move(analysis); });
  while (id != 0 && !result) {
    std::vector<int> descriptors;
    worker.addDescriptors(descriptors);
    waitFor(descriptors);
    worker.advance();
  }
  if (!result)
    result = resultOf({}, false, request.front.path, inTheWorker);
  return std::move(*result);
}

FileCosts measureNow(Worker &worker, const CostRequest &request) {
  std::optional<FileCosts> result;
  std::uint32_t id = worker.measure(request, [&](FileCosts costs) { result = std::move(costs); });
  while (id != 0 && !result) {
    std::vector<int> descriptors;
    worker.addDescriptors(descriptors);
    waitFor(descriptors);
    worker.advance();
  }
  return result ? std::move(*result) : costsOf({}, false, request.gpu, inTheWorker);
}

} // namespace cufc
