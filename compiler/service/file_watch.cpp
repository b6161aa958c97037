// inotify says that something has happened in a folder; what it was is read off the files, since
// names of events may come in any order and be lost (inotify(7)).
#include "service/file_watch.h"
#include "base/files.h"
#include <array>
#include <cstdint>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cufc {
namespace {

constexpr std::uint32_t events = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM |
                                 IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
constexpr size_t mostFolders = 500; // the kernel has a limit for all programs of a user

bool isFolder(const std::string &path) {
  struct stat state{};
  return stat(path.c_str(), &state) == 0 && S_ISDIR(state.st_mode);
}

} // namespace

FileWatch::FileWatch() : notifications(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {}

FileWatch::~FileWatch() {
  if (notifications >= 0)
    close(notifications);
}

FileWatch::State FileWatch::stateOf(const std::string &path) {
  struct stat state{};
  if (stat(path.c_str(), &state) != 0)
    return {};
  return {state.st_mtim.tv_sec, state.st_mtim.tv_nsec, state.st_size, state.st_ino};
}

void FileWatch::watch(const std::set<std::string> &wanted) {
  std::map<std::string, State> now;
  for (const std::string &path : wanted) {
    auto known = files.find(path);
    now.emplace(path, known == files.end() ? stateOf(path) : known->second);
  }
  files = std::move(now);
  watchFolders();
}

// Of a folder that is not there the nearest one above it is watched.
void FileWatch::watchFolders() {
  std::set<std::string> wanted;
  for (const auto &[path, state] : files) {
    std::string folder = directoryOf(path);
    while (folder.size() > 1 && !isFolder(folder))
      folder = directoryOf(folder);
    if (wanted.size() < mostFolders)
      wanted.insert(folder);
  }
  std::erase_if(folders, [&](const auto &entry) {
    bool gone = wanted.count(entry.first) == 0;
    if (gone)
      inotify_rm_watch(notifications, entry.second);
    return gone;
  });
  // A folder that was removed and made again has lost its watch, and asking twice does no harm.
  for (const std::string &folder : wanted)
    if (int number = inotify_add_watch(notifications, folder.c_str(), events); number >= 0)
      folders[folder] = number;
}

std::set<std::string> FileWatch::changed() {
  alignas(inotify_event) std::array<char, 1 << 14> buffer;
  bool any = false;
  while (notifications >= 0 && read(notifications, buffer.data(), buffer.size()) > 0)
    any = true;
  std::set<std::string> result;
  if (!any)
    return result;
  watchFolders(); // first, since files may come into a new folder meanwhile
  for (auto &[path, state] : files)
    if (State now = stateOf(path); !(now == state)) {
      state = now;
      result.insert(path);
    }
  return result;
}

} // namespace cufc
