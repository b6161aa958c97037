// Runs many analyses on a worker, some at a time, for commands that can wait.
#ifndef CUFC_SERVICE_ANALYSIS_QUEUE_H
#define CUFC_SERVICE_ANALYSIS_QUEUE_H

#include "service/worker.h"
#include <deque>

namespace cufc {

class AnalysisQueue {
public:
  AnalysisQueue(Worker &worker, size_t most) : worker(worker), most(most) {}

  void add(AnalysisRequest request, Worker::Done done) {
    waiting.push_back({std::move(request), std::move(done)});
  }
  // Until nothing is left; `done` may add more.
  void run();

private:
  struct Job {
    AnalysisRequest request;
    Worker::Done done;
  };

  Worker &worker;
  const size_t most; // at a time
  std::deque<Job> waiting;
};

} // namespace cufc
#endif // CUFC_SERVICE_ANALYSIS_QUEUE_H
