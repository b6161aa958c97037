// The worker's and the sessions' descriptors come and go, and a number may name another file soon.
// So they are all in one epoll, from which the kernel removes what is closed, and the event loop
// waits for that.
#include "server/analyses.h"
#include <sys/epoll.h>

namespace cufc {

Analyses::Analyses(asio::io_context &loop, FrontendOptions defaults, Changed changed,
                   std::function<void()> workerDied)
    : loop(loop), defaults(std::move(defaults)), changed(std::move(changed)),
      workerDied(std::move(workerDied)), poll(loop, epoll_create1(EPOLL_CLOEXEC)) {
  startWorker();
  watch();
}

Analyses::~Analyses() = default;

void Analyses::startWorker() { worker = Worker::start(defaults); }

void Analyses::watch() {
  refresh();
  poll.async_wait(asio::posix::stream_descriptor::wait_read, [this](const asio::error_code &error) {
    if (error)
      return;
    advance();
    watch();
  });
}

void Analyses::refresh() {
  std::vector<int> descriptors;
  if (worker)
    worker->addDescriptors(descriptors);
  for (auto &[path, entry] : sessions)
    entry.session->addDescriptors(descriptors);
  for (int descriptor : descriptors) {
    epoll_event event{};
    event.events = EPOLLIN;
    epoll_ctl(poll.native_handle(), EPOLL_CTL_ADD, descriptor, &event);
  }
}

// `changed` may open, update and close files.
void Analyses::advance() {
  if (worker)
    worker->advance();
  std::vector<std::string> paths;
  for (auto &[path, entry] : sessions)
    paths.push_back(path);
  for (const std::string &path : paths)
    if (auto found = sessions.find(path); found != sessions.end())
      found->second.session->advance();
  closed.clear();
  if (!worker || worker->dead())
    recover();
  refresh();
}

void Analyses::recover() {
  ++restartCount;
  for (auto &[path, entry] : sessions)
    entry.session.reset();
  startWorker();
  for (auto &[path, entry] : sessions)
    start(path, entry);
  workerDied();
}

void Analyses::start(const std::string &path, Session &entry) {
  entry.session = std::make_unique<FileSession>(
      *worker, entry.request, [this, path](const Analysis &analysis, FileSession::Quality quality) {
        // After the worker's death all begins anew, a newer text is about to, and a file that was
        // closed is of no interest.
        auto open = sessions.find(path);
        if (!worker->dead() && open != sessions.end() && !open->second.waits)
          changed(path, analysis, quality);
      });
  entry.waits = false;
  entry.session->update(entry.text);
}

void Analyses::open(const std::string &path, AnalysisRequest request, std::string text) {
  close(path);
  Session &entry = sessions[path];
  entry.request = std::move(request);
  entry.text = std::move(text);
  start(path, entry);
  refresh();
}

// Of many edits that have come together only the last text is worth an analysis.
void Analyses::update(const std::string &path, std::string text) {
  auto found = sessions.find(path);
  if (found == sessions.end())
    return;
  found->second.text = std::move(text);
  found->second.waits = true;
  if (!std::exchange(beginning, true))
    asio::post(loop, [this] { begin(); });
}

void Analyses::begin() {
  beginning = false;
  for (auto &[path, entry] : sessions)
    if (std::exchange(entry.waits, false))
      entry.session->update(entry.text);
  refresh();
}

void Analyses::modulesChanged(const std::string &path) {
  if (auto found = sessions.find(path); found != sessions.end())
    found->second.session->modulesChanged();
  refresh();
}

std::uint32_t Analyses::measure(const CostRequest &request, Worker::Measured done) {
  std::uint32_t number = worker ? worker->measure(request, std::move(done)) : 0;
  refresh();
  return number;
}

void Analyses::endMeasuring(std::uint32_t number) {
  if (worker)
    worker->cancel(number);
}

void Analyses::close(const std::string &path) {
  auto found = sessions.find(path);
  if (found == sessions.end())
    return;
  closed.push_back(std::move(found->second.session));
  sessions.erase(found);
}

bool Analyses::busy(const std::string &path) const {
  auto found = sessions.find(path);
  return found != sessions.end() && (found->second.waits || found->second.session->busy());
}

} // namespace cufc
