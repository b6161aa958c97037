// See stale_folders.h. A number of a process says something only where it was given: another
// machine may share the folder, and another namespace counts for itself.
#include "base/stale_folders.h"
#include "base/files.h"
#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace cufc {
namespace {

constexpr size_t mostAtOnce = 300;

std::string placeOfProcesses() {
  std::error_code ignored;
  std::string place = std::filesystem::read_symlink("/proc/self/ns/pid", ignored).string();
  std::string start;
  readFile("/proc/sys/kernel/random/boot_id", start);
  return fmt::format("cufc-{:08x}-",
                     static_cast<uint32_t>(std::hash<std::string>()(place + start)));
}

bool isGone(std::string_view owner) {
  int process = 0;
  auto read = std::from_chars(owner.data(), owner.data() + owner.size(), process);
  return read.ec == std::errc() && process > 0 && read.ptr != owner.data() + owner.size() &&
         *read.ptr == '-' && kill(process, 0) != 0 && errno == ESRCH;
}

bool isOwnFolder(const std::filesystem::path &path) {
  struct stat status;
  return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

} // namespace

std::string ownFolderPrefix() { return fmt::format("{}{}-", placeOfProcesses(), getpid()); }

void removeStaleFolders() {
  namespace fs = std::filesystem;
  std::error_code error;
  const std::string place = placeOfProcesses();
  std::vector<fs::path> stale;
  fs::directory_iterator entry(fs::temp_directory_path(error), error), end;
  for (; !error && entry != end && stale.size() < mostAtOnce; entry.increment(error)) {
    std::string name = entry->path().filename().string();
    if (name.rfind(place, 0) == 0 && isGone(std::string_view(name).substr(place.size())) &&
        isOwnFolder(entry->path()))
      stale.push_back(entry->path());
  }
  for (const fs::path &path : stale)
    fs::remove_all(path, error);
}

} // namespace cufc
