// The open files' analyses: a worker, a session for each file, and what brings their results into
// the event loop.
//
// When the worker dies, another is started and all sessions begin anew with their newest texts.
#ifndef CUFLS_HOST_ANALYSES_H
#define CUFLS_HOST_ANALYSES_H

#include "service/file_session.h"
#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <map>

namespace cufc {

constexpr std::uint64_t defaultMemoryLimit = std::uint64_t(2) << 30;

// What this process has in memory, in bytes.
std::uint64_t ownMemory();

class Analyses {
public:
  using Changed =
      std::function<void(const std::string &path, const Analysis &, FileSession::Quality)>;

  // `defaults` says which intrinsic modules the worker keeps loaded; it starts at once.
  Analyses(asio::io_context &loop, FrontendOptions defaults, Changed changed,
           std::function<void()> workerDied);
  ~Analyses();

  // Starts or restarts the analyses of a file.
  void open(const std::string &path, AnalysisRequest request, std::string text);
  void update(const std::string &path, std::string text);
  void modulesChanged(const std::string &path);
  // Whether an open file is analysed by this request.
  bool readsAlike(const std::string &path, const AnalysisRequest &request) const;
  void close(const std::string &path);

  // Measures kernels beside the analyses; 0 if there is no worker. `done` is not called after
  // `endMeasuring`.
  std::uint32_t measure(const CostRequest &request, Worker::Measured done);
  // The analysis of a text that nobody edits; `done` is called in any case. If the worker dies
  // before it has begun, the next worker does it.
  void once(const AnalysisRequest &request, Worker::Done done);
  void endMeasuring(std::uint32_t number);

  bool isOpen(const std::string &path) const { return sessions.contains(path); }
  // Whether an analysis of the newest text is still under way.
  bool busy(const std::string &path) const;
  // Whether the worker has died and the next is about to start.
  bool lost() const { return worker && worker->dead(); }
  size_t restarts() const { return restartCount; }

  // Sessions that were not used for longest give back what makes them fast while all processes
  // together have more than so many bytes. The last used one keeps it.
  void setMemoryLimit(std::uint64_t bytes) { memoryLimit = bytes; }
  // As it was some seconds ago.
  std::uint64_t memory() const { return lastMemory; }

private:
  struct Session {
    AnalysisRequest request;
    std::string text;
    std::unique_ptr<FileSession> session;
    bool waits = false;     // for `begin`, with a newer text
    std::uint64_t used = 0; // grows with each use of any session
  };

  void start(const std::string &path, Session &session);
  void startWorker();
  void watch();
  void refresh();
  void advance();
  void recover();
  void begin();
  void noteUse(Session &session);
  void checkMemoryLater();
  std::uint64_t measuredMemory() const;
  void keepToLimit();

  asio::io_context &loop;
  FrontendOptions defaults;
  Changed changed;
  std::function<void()> workerDied;
  bool beginning = false;              // `begin` is called soon
  asio::posix::stream_descriptor poll; // an epoll of all descriptors of worker and sessions
  std::unique_ptr<Worker> worker;
  std::map<std::string, Session> sessions;
  std::vector<std::pair<AnalysisRequest, Worker::Done>> delayed; // of `once`, for the next worker
  std::vector<std::unique_ptr<FileSession>> closed;              // until nobody can be inside them
  size_t restartCount = 0;
  std::uint64_t uses = 0, memoryLimit = defaultMemoryLimit, lastMemory = 0;
  asio::steady_timer memoryTimer;
  size_t checksLeft = 0; // 0: the timer does not run
};

} // namespace cufc
#endif // CUFLS_HOST_ANALYSES_H
