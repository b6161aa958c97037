// Starts what may run, waits, and lets the worker call back.
#include "service/analysis_queue.h"

namespace cufc {

void AnalysisQueue::run() {
  while (!waiting.empty() || worker.running() > 0) {
    while (worker.running() < most && !waiting.empty()) {
      Job job = std::move(waiting.front());
      waiting.pop_front();
      if (worker.begin(job.request, job.done) == 0)
        job.done(analyseNow(worker, job.request)); // says that the worker is gone
    }
    std::vector<int> descriptors;
    worker.addDescriptors(descriptors);
    if (worker.running() > 0)
      waitFor(descriptors);
    worker.advance();
  }
}

} // namespace cufc
