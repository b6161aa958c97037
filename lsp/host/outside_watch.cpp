// See outside_watch.h.
#include "host/outside_watch.h"
#include <chrono>
#include <unistd.h>

namespace cufc {
namespace {

constexpr auto quietTime = std::chrono::milliseconds(200);
constexpr auto collectTime = std::chrono::milliseconds(50);

} // namespace

OutsideWatch::OutsideWatch(asio::io_context &loop,
                           std::function<void(const std::set<std::string> &)> changed)
    : changed(std::move(changed)), events(loop), quiet(loop), later(loop) {
  if (files.descriptor() < 0)
    return;
  events.assign(dup(files.descriptor()));
  wait();
}

OutsideWatch::~OutsideWatch() = default;

bool OutsideWatch::set(const std::string &source, const std::vector<std::string> &now) {
  std::vector<std::string> &before = filesOf[source];
  if (before == now)
    return false;
  for (const std::string &path : before)
    if (auto entry = users.find(path);
        entry != users.end() && entry->second.erase(source) != 0 && entry->second.empty())
      users.erase(entry);
  for (const std::string &path : now)
    users[path].insert(source);
  before = now;
  watchLater();
  return true;
}

// The index gives the lists of many sources one after the other.
void OutsideWatch::watchLater() {
  if (std::exchange(planned, true))
    return;
  later.expires_after(collectTime);
  later.async_wait([this](const asio::error_code &error) {
    if (error)
      return;
    planned = false;
    std::set<std::string> paths;
    for (const auto &[path, sources] : users)
      paths.insert(path);
    files.watch(paths);
  });
}

void OutsideWatch::wait() {
  events.async_wait(asio::posix::stream_descriptor::wait_read,
                    [this](const asio::error_code &error) {
                      if (error)
                        return;
                      quiet.expires_after(quietTime);
                      quiet.async_wait([this](const asio::error_code &error) {
                        if (error)
                          return;
                        take();
                        wait();
                      });
                    });
}

void OutsideWatch::take() {
  std::set<std::string> sources;
  for (const std::string &path : files.changed())
    if (auto entry = users.find(path); entry != users.end())
      sources.insert(entry->second.begin(), entry->second.end());
  if (!sources.empty())
    changed(sources);
}

} // namespace cufc
