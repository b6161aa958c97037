// poll over the pipes of what runs and the worker's socket. An analysis is over when its process
// has ended, which the socket tells; what is left in its pipe is read then.
#include "service/analysis_queue.h"
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace cufc {
namespace {

const Frame workerGone{FrameKind::Ended, 0, 1 << 8, "in the worker", -1};

} // namespace

void AnalysisQueue::run() {
  while (true) {
    startSome();
    if (started.empty())
      return;
    std::vector<pollfd> wanted;
    for (const Started &one : started)
      wanted.push_back({one.running.pipe, POLLIN, 0});
    wanted.push_back({worker.socket(), POLLIN, 0});
    if (poll(wanted.data(), wanted.size(), -1) < 0 && errno != EINTR)
      return;
    for (size_t i = 0; i < started.size(); ++i)
      if (wanted[i].revents && started[i].running.pipe >= 0)
        read(started[i]);
    if (!wanted.back().revents)
      continue;
    Frame ended;
    if (receiveFrame(worker.socket(), ended))
      finish(ended.id, ended);
    else
      while (!started.empty())
        finish(started.front().running.id, workerGone);
  }
}

void AnalysisQueue::startSome() {
  while (started.size() < jobs && !waiting.empty()) {
    Job job = std::move(waiting.front());
    waiting.pop_front();
    Worker::Running running = worker.begin(job.request);
    if (running.id != 0)
      started.push_back({std::move(job), running, {}});
    else
      job.done(ResultReader().finish(job.request.front.path, workerGone));
  }
}

bool AnalysisQueue::read(Started &one) {
  char buffer[65536];
  ssize_t n = ::read(one.running.pipe, buffer, sizeof buffer);
  if (n < 0 && errno == EINTR)
    return false;
  if (n > 0) {
    one.result.append({buffer, static_cast<size_t>(n)});
    return false;
  }
  close(one.running.pipe);
  one.running.pipe = -1; // which poll ignores
  return true;
}

void AnalysisQueue::finish(std::uint32_t id, const Frame &ended) {
  for (size_t i = 0; i < started.size(); ++i) {
    if (started[i].running.id != id)
      continue;
    Started one = std::move(started[i]);
    started.erase(started.begin() + static_cast<long>(i));
    while (one.running.pipe >= 0 && !read(one)) {
    }
    return one.job.done(one.result.finish(one.job.request.front.path, ended));
  }
}

Analysis analyseNow(Worker &worker, const AnalysisRequest &request) {
  Analysis result;
  AnalysisQueue queue(worker, 1);
  queue.add(request, [&](Analysis analysis) { result = std::move(analysis); });
  queue.run();
  return result;
}

} // namespace cufc
