// The worker's and the sessions' descriptors come and go, and a number may name another file soon.
// So they are all in one epoll, from which the kernel removes what is closed, and the event loop
// waits for that.
#include "host/analyses.h"
#include "base/files.h"
#include <algorithm>
#include <cstdlib>
#include <sys/epoll.h>
#include <unistd.h>

namespace cufc {
namespace {

constexpr auto memoryCheckInterval = std::chrono::seconds(2);
constexpr size_t memoryChecks = 5; // after an edit

} // namespace

// The second number of statm is that of pages in memory.
std::uint64_t ownMemory() {
  std::string text;
  if (!readFile("/proc/self/statm", text))
    return 0;
  const char *second = text.c_str() + std::min(text.find(' '), text.size());
  return std::strtoull(second, nullptr, 10) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

Analyses::Analyses(asio::io_context &loop, FrontendOptions defaults, Changed changed,
                   std::function<void()> workerDied)
    : loop(loop), defaults(std::move(defaults)), changed(std::move(changed)),
      workerDied(std::move(workerDied)), poll(loop, epoll_create1(EPOLL_CLOEXEC)),
      memoryTimer(loop) {
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
  for (auto &[request, done] : std::exchange(delayed, {}))
    once(request, std::move(done));
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
  noteUse(entry);
  refresh();
}

// Of many edits that have come together only the last text is worth an analysis.
void Analyses::update(const std::string &path, std::string text) {
  auto found = sessions.find(path);
  if (found == sessions.end())
    return;
  found->second.text = std::move(text);
  found->second.waits = true;
  noteUse(found->second);
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

// Memory grows for some seconds after an edit.
void Analyses::noteUse(Session &session) {
  session.used = ++uses;
  if (std::exchange(checksLeft, size_t(memoryChecks)) == 0)
    checkMemoryLater();
}

void Analyses::checkMemoryLater() {
  memoryTimer.expires_after(memoryCheckInterval);
  memoryTimer.async_wait([this](const asio::error_code &error) {
    if (error)
      return;
    keepToLimit();
    if (--checksLeft > 0)
      checkMemoryLater();
  });
}

std::uint64_t Analyses::measuredMemory() const {
  std::uint64_t total = ownMemory() + (worker ? worker->memory() : 0);
  for (const auto &[path, entry] : sessions)
    total += entry.session->memory();
  return total;
}

void Analyses::keepToLimit() {
  std::vector<Session *> order;
  for (auto &[path, entry] : sessions)
    order.push_back(&entry);
  std::sort(order.begin(), order.end(),
            [](const Session *a, const Session *b) { return a->used < b->used; });
  std::uint64_t total = measuredMemory();
  for (size_t i = 0; i + 1 < order.size() && total > memoryLimit; ++i) {
    total -= std::min(total, order[i]->session->memory());
    order[i]->session->release();
  }
  lastMemory = total;
  refresh();
}

void Analyses::modulesChanged(const std::string &path) {
  if (auto found = sessions.find(path); found != sessions.end())
    found->second.session->modulesChanged();
  refresh();
}

bool Analyses::readsAlike(const std::string &path, const AnalysisRequest &request) const {
  auto found = sessions.find(path);
  return found != sessions.end() && toBytes(found->second.request) == toBytes(request);
}

std::uint32_t Analyses::measure(const CostRequest &request, Worker::Measured done) {
  std::uint32_t number = worker ? worker->measure(request, std::move(done)) : 0;
  refresh();
  return number;
}

void Analyses::once(const AnalysisRequest &request, Worker::Done done) {
  bool begun = worker && worker->begin(request, done) != 0;
  if (!begun && lost())
    delayed.emplace_back(request, std::move(done));
  else if (!begun)
    asio::post(loop, [done = std::move(done)] { done({}); });
  refresh();
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

// With a dead worker nothing has begun, and the next one begins all anew.
bool Analyses::busy(const std::string &path) const {
  auto found = sessions.find(path);
  return found != sessions.end() &&
         (found->second.waits || lost() || found->second.session->busy());
}

} // namespace cufc
