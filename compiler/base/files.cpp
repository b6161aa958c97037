// File access through the C library, so that errors come back as errno and nothing throws. What is
// no file, or larger than any text, is not read (ordinary_files.h).
#include "base/files.h"
#include "base/ordinary_files.h"
#include "base/stale_folders.h"
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace cufc {

bool readFile(const std::string &path, std::string &text) {
  int descriptor = openOrdinary(path.c_str());
  if (descriptor < 0)
    return false;
  text.clear();
  char buffer[1 << 16];
  ssize_t count = 0;
  struct stat status;
  if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
      status.st_size > static_cast<off_t>(mostFileBytes)) {
    errno = EFBIG;
    count = -1;
  }
  while (count >= 0 && (count = read(descriptor, buffer, sizeof buffer)) != 0) {
    if (count < 0 && errno == EINTR)
      count = 0;
    if (count > 0)
      text.append(buffer, static_cast<size_t>(count));
    if (text.size() > mostFileBytes) { // it grows
      errno = EFBIG;
      count = -1;
    }
  }
  int reason = errno;
  close(descriptor);
  errno = reason;
  return count == 0;
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
  made = !error && mkdtemp(name.data());
  if (made)
    folder = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (valid())
    std::filesystem::remove_all(folder, ignored);
}

} // namespace cufc
