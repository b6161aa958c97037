// See kept_files.h.
#include "base/kept_files.h"
#include "base/files.h"
#include <algorithm>
#include <filesystem>
#include <unistd.h>
#include <vector>

namespace cufc {

namespace fs = std::filesystem;

bool keepFile(const std::string &path, std::string_view data) {
  std::string temporary = path + "." + std::to_string(getpid());
  std::error_code error;
  if (!writeFile(temporary, data))
    return false;
  fs::rename(temporary, path, error);
  return !error;
}

void touchKeptFile(const std::string &path) {
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
}

void pruneKeptFiles(const std::string &folder, std::uint64_t mostBytes) {
  struct File {
    fs::file_time_type time;
    std::uint64_t bytes;
    fs::path path;
  };
  std::vector<File> files;
  std::error_code error;
  std::uint64_t total = 0;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error)) {
    File file{entry.last_write_time(error), entry.file_size(error), entry.path()};
    if (error)
      continue;
    total += file.bytes;
    files.push_back(std::move(file));
  }
  std::sort(files.begin(), files.end(),
            [](const File &a, const File &b) { return a.time < b.time; });
  for (const File &file : files) {
    if (total <= mostBytes)
      return;
    fs::remove(file.path, error);
    total -= file.bytes;
  }
}

} // namespace cufc
