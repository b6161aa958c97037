// A process that holds flang and forks for each analysis; see worker_loop.cpp for its side.
//
// The caller's process never runs flang. Cancelling is killing the fork; a crash costs one
// analysis, whose result is then what had been found before, and a diagnostic. Not thread-safe.
#ifndef CUFC_SERVICE_WORKER_H
#define CUFC_SERVICE_WORKER_H

#include "analysis/analysis.h"
#include "service/frames.h"
#include "service/request.h"
#include <map>
#include <memory>

namespace cufc {

class Worker {
public:
  // Forks the process, so before there are threads. `defaults` says which intrinsic modules are
  // kept loaded. Null if the system has no more processes.
  static std::unique_ptr<Worker> start(const FrontendOptions &defaults);
  // Ends the process and what it runs.
  ~Worker();
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  // A worker that also keeps these modules of front.moduleDirectory loaded, as they are now.
  std::unique_ptr<Worker> snapshot(const FrontendOptions &front,
                                   const std::vector<std::string> &modules);

  // What `begin` started: the result comes over `pipe`, which belongs to the caller, until its end;
  // then a frame Ended of this id over the worker's socket. Id 0: the worker is gone.
  struct Running {
    std::uint32_t id = 0;
    int pipe = -1;
  };
  Running begin(const AnalysisRequest &request);
  void cancel(std::uint32_t id);

  int socket() const { return end; }

private:
  explicit Worker(int socket) : end(socket) {}
  int end;
  std::uint32_t lastId = 0;
};

// Puts the bytes of a result together.
class ResultReader {
public:
  void append(std::string_view more) { bytes.append(more); }
  // The last analysis that is complete in the bytes. `ended` says how the process did; a crash and
  // a limit that was met are reported at `path`.
  Analysis finish(const std::string &path, const Frame &ended) const;

private:
  std::string bytes;
};

} // namespace cufc
#endif // CUFC_SERVICE_WORKER_H
