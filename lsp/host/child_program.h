// A program that runs beside the event loop, and what it prints, as it comes.
#ifndef CUFLS_HOST_CHILD_PROGRAM_H
#define CUFLS_HOST_CHILD_PROGRAM_H

#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cufc {

class ChildProgram {
public:
  enum class Stream { Output, Error };
  using Printed = std::function<void(Stream, std::string_view text)>;
  // 128 + the signal's number for a program that a signal ended.
  using Ended = std::function<void(int exitStatus)>;

  // Neither is called after the object is gone; `ended` once, when both streams are at their ends.
  ChildProgram(asio::io_context &loop, Printed printed, Ended ended);
  // Ends the program, and what it has started in its process group.
  ~ChildProgram();
  ChildProgram(const ChildProgram &) = delete;
  ChildProgram &operator=(const ChildProgram &) = delete;

  // False if it cannot be started. Reads nothing: standard input is /dev/null.
  bool start(const std::vector<std::string> &command, const std::string &folder);
  void kill();

private:
  void read(asio::posix::stream_descriptor &pipe, std::string &buffer, Stream stream);
  void streamEnded();
  void reap();

  asio::posix::stream_descriptor output, error;
  asio::steady_timer timer;
  Printed printed;
  Ended ended;
  std::string outputBuffer, errorBuffer;
  int process = -1;
  int open = 0; // streams
};

} // namespace cufc
#endif // CUFLS_HOST_CHILD_PROGRAM_H
