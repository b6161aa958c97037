// A process that holds flang and forks for each analysis; see worker_loop.cpp for its side.
//
// The caller's process never runs flang. Cancelling is killing the fork; a crash costs one
// analysis, whose result is then what had been found before, and a diagnostic. Not thread-safe.
#ifndef CUFC_SERVICE_WORKER_H
#define CUFC_SERVICE_WORKER_H

#include "analysis/analysis.h"
#include "service/frames.h"
#include "service/measure_kernels.h"
#include "service/request.h"
#include <functional>
#include <memory>
#include <sys/types.h>

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

  using Done = std::function<void(Analysis)>;
  // Starts an analysis; `done` is called by `advance`. Returns a number to cancel it by, or 0 if
  // the worker is gone.
  std::uint32_t begin(const AnalysisRequest &request, Done done);
  using Measured = std::function<void(FileCosts)>;
  // The same for what a file's kernels cost.
  std::uint32_t measure(const CostRequest &request, Measured done);
  // Ends either; `done` is not called any more.
  void cancel(std::uint32_t id);

  // Adds what to wait for until `advance` has something to do.
  void addDescriptors(std::vector<int> &descriptors) const;
  // Reads what there is, without waiting. When the worker is gone, what runs ends with a
  // diagnostic.
  void advance();
  size_t running() const { return jobs.size(); }
  // Whether its process is known to have ended; everything begun then ends at once.
  bool dead() const { return gone; }
  // Bytes of memory that its process has for itself; 0 before it has told its number.
  std::uint64_t memory() const;

private:
  struct Job {
    std::uint32_t id;
    int pipe;
    // Takes the last result, whether it is whole, and how the process ended.
    std::function<void(const std::string &, bool, const Frame &)> done;
    std::string bytes;          // not yet taken apart
    std::string result;         // the last that has come as a whole
    bool isLast = false;        // no other follows
    std::optional<Frame> ended; // of its process
  };

  explicit Worker(int socket);
  std::uint32_t begin(FrameKind kind, std::string payload,
                      std::function<void(const std::string &, bool, const Frame &)> done);
  bool send(const Frame &frame);
  void receive();
  void noteEnd();
  static void read(Job &job);
  static void takeResults(Job &job);
  bool finishOne();
  int socket;
  int news; // an eventfd: something came while a frame was sent, or the worker is gone
  bool gone = false;
  pid_t process = 0;
  std::uint32_t lastId = 0;
  std::vector<Job> jobs;
  std::shared_ptr<bool> alive = std::make_shared<bool>(true); // `done` may end the worker
};

// Whether an analysis ended before it was done, so that another try may find more.
bool endedEarly(const Analysis &analysis);

// Waits until one of the descriptors can be read.
void waitFor(const std::vector<int> &descriptors);

// One analysis, waited for.
Analysis analyseNow(Worker &worker, const AnalysisRequest &request);

// One measurement, waited for.
FileCosts measureNow(Worker &worker, const CostRequest &request);

} // namespace cufc
#endif // CUFC_SERVICE_WORKER_H
