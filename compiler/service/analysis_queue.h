// Runs many analyses on a worker, some at a time, for commands that can wait; a server has an event
// loop of its own.
#ifndef CUFC_SERVICE_ANALYSIS_QUEUE_H
#define CUFC_SERVICE_ANALYSIS_QUEUE_H

#include "service/worker.h"
#include <deque>
#include <functional>

namespace cufc {

class AnalysisQueue {
public:
  using Done = std::function<void(Analysis)>;

  AnalysisQueue(Worker &worker, size_t jobs) : worker(worker), jobs(jobs) {}

  void add(AnalysisRequest request, Done done) {
    waiting.push_back({std::move(request), std::move(done)});
  }
  // Until nothing is left; `done` may add more.
  void run();

private:
  struct Job {
    AnalysisRequest request;
    Done done;
  };
  struct Started {
    Job job;
    Worker::Running running;
    ResultReader result;
  };

  void startSome();
  // True once the pipe has come to its end.
  bool read(Started &started);
  void finish(std::uint32_t id, const Frame &ended);

  Worker &worker;
  const size_t jobs;
  std::deque<Job> waiting;
  std::vector<Started> started;
};

// One analysis, waited for.
Analysis analyseNow(Worker &worker, const AnalysisRequest &request);

} // namespace cufc
#endif // CUFC_SERVICE_ANALYSIS_QUEUE_H
