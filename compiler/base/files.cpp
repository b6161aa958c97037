// File access through the C library, so that errors come back as errno and nothing throws.
#include "base/files.h"
#include "base/stale_folders.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>

namespace cufc {

bool readFile(const std::string &path, std::string &text) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0)
    return false;
  if (S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    return false;
  }
  FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    return false;
  text.clear();
  char buffer[1 << 16];
  while (size_t count = std::fread(buffer, 1, sizeof buffer, file))
    text.append(buffer, count);
  bool good = !std::ferror(file);
  int reason = errno;
  std::fclose(file);
  errno = reason;
  return good;
}

bool writeFile(const std::string &path, std::string_view data) {
  FILE *file = std::fopen(path.c_str(), "wb");
  if (!file)
    return false;
  bool written = std::fwrite(data.data(), 1, data.size(), file) == data.size();
  int reason = errno;
  bool closed = std::fclose(file) == 0;
  if (written && closed)
    return true;
  if (written)
    reason = errno;
  struct stat status;
  if (stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode))
    std::remove(path.c_str()); // half a file is worse than none
  errno = reason;
  return false;
}

std::string stem(std::string_view path) { return std::filesystem::path(path).stem().string(); }

std::string extension(std::string_view path) {
  return std::filesystem::path(path).extension().string();
}

std::string directoryOf(std::string_view path) {
  std::string parent = std::filesystem::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  std::string name =
      (std::filesystem::temp_directory_path(error) / (ownFolderPrefix() + "XXXXXX")).string();
  if (!error && mkdtemp(name.data()))
    folder = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (valid())
    std::filesystem::remove_all(folder, ignored);
}

} // namespace cufc
