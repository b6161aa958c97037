// A member is a header of 512 bytes and the content, filled up to the next 512; two empty blocks
// end the archive, which is filled up to a record of 10240 bytes.
#include "commands/tar_archive.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace cufc {
namespace {

constexpr size_t block = 512, record = 20 * block;

struct Header {
  char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type, link[100];
  char magic[6], version[2], user[32], group[32], major[8], minor[8], prefix[155], rest[12];
};
static_assert(sizeof(Header) == block);

// A name of more than 100 bytes is divided at a slash. False if it is too long.
bool setName(Header &header, const std::string &name) {
  size_t begin = 0;
  if (name.size() > sizeof header.name) {
    begin = name.find('/', name.size() - sizeof header.name - 1);
    if (begin == std::string::npos || begin > sizeof header.prefix)
      return false;
    std::memcpy(header.prefix, name.data(), begin);
    ++begin;
  }
  std::memcpy(header.name, name.data() + begin, name.size() - begin);
  return true;
}

template <size_t length>
void setOctal(char (&field)[length], unsigned long long value) {
  char text[24];
  std::snprintf(text, sizeof text, "%0*llo", static_cast<int>(length) - 1, value);
  std::memcpy(field, text, length); // with the NUL
}

} // namespace

bool TarArchive::writeAll(const char *data, size_t length) {
  while (length > 0) {
    ssize_t count = write(output, data, length);
    if (count < 0 && errno != EINTR)
      return false;
    data += std::max<ssize_t>(count, 0);
    length -= static_cast<size_t>(std::max<ssize_t>(count, 0));
    written += static_cast<unsigned long long>(std::max<ssize_t>(count, 0));
  }
  return true;
}

bool TarArchive::add(const std::string &path, const std::string &name) {
  struct stat state{};
  int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  Header header{};
  constexpr unsigned long long mostBytes = 1ULL << 33; // what eleven octal digits say
  bool fits = fstat(file, &state) == 0 && S_ISREG(state.st_mode) && setName(header, name) &&
              static_cast<unsigned long long>(state.st_size) < mostBytes;
  if (!fits) {
    close(file);
    errno = EINVAL;
    return false;
  }
  setOctal(header.mode, state.st_mode & 0777);
  setOctal(header.uid, 0);
  setOctal(header.gid, 0);
  setOctal(header.size, static_cast<unsigned long long>(state.st_size));
  setOctal(header.mtime, static_cast<unsigned long long>(state.st_mtime));
  header.type = '0';
  std::memcpy(header.magic, "ustar", 6);
  std::memcpy(header.version, "00", 2);
  std::memset(header.checksum, ' ', sizeof header.checksum);
  unsigned sum = 0;
  const auto *bytes = reinterpret_cast<const unsigned char *>(&header);
  for (size_t i = 0; i < block; ++i)
    sum += bytes[i];
  std::snprintf(header.checksum, sizeof header.checksum, "%06o", sum);
  bool good = writeAll(reinterpret_cast<const char *>(&header), block);
  std::vector<char> buffer(size_t(1) << 16);
  auto left = static_cast<size_t>(state.st_size);
  while (good && left > 0) {
    ssize_t count = read(file, buffer.data(), std::min(buffer.size(), left));
    if (count < 0 && errno == EINTR)
      continue;
    good = count > 0 && writeAll(buffer.data(), static_cast<size_t>(count));
    left -= good ? static_cast<size_t>(count) : 0;
  }
  close(file);
  static const char zeros[block] = {};
  size_t over = static_cast<size_t>(state.st_size) % block;
  return good && (over == 0 || writeAll(zeros, block - over));
}

bool TarArchive::finish() {
  std::vector<char> zeros(2 * block + record, 0);
  size_t length = 2 * block;
  length += (record - (written + length) % record) % record;
  return writeAll(zeros.data(), length);
}

} // namespace cufc
