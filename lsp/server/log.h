// What the server did, for people: to a file of bounded size, and to the client's trace.
#ifndef CUFLS_SERVER_LOG_H
#define CUFLS_SERVER_LOG_H

#include <cstdio>
#include <string>
#include <string_view>

namespace cufc {

class Log {
public:
  // Without a name nothing is written. When the file is full, it becomes `file`.1 and a new one
  // begins.
  explicit Log(std::string file);
  ~Log();
  Log(const Log &) = delete;
  Log &operator=(const Log &) = delete;

  // A line, with the time before it; long texts are cut.
  void write(std::string_view text);

  static constexpr long mostBytes = 4L << 20;
  static constexpr size_t mostLine = 4000;

private:
  void open();
  std::string file;
  std::FILE *stream = nullptr;
  long written = 0;
};

} // namespace cufc
#endif // CUFLS_SERVER_LOG_H
