// Files as a tar archive (POSIX ustar), written to a descriptor: how a program and its inputs
// travel.
#ifndef CUFLS_COMMANDS_TAR_ARCHIVE_H
#define CUFLS_COMMANDS_TAR_ARCHIVE_H

#include <string>

namespace cufc {

class TarArchive {
public:
  explicit TarArchive(int output) : output(output) {}

  // A file under a name in the archive, with its permissions. False with errno set.
  bool add(const std::string &path, const std::string &name);
  bool finish();
  unsigned long long bytes() const { return written; }

private:
  bool writeAll(const char *data, size_t length);

  int output;
  unsigned long long written = 0;
};

} // namespace cufc
#endif // CUFLS_COMMANDS_TAR_ARCHIVE_H
