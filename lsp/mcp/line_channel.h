// The client's end of a conversation in lines: each message is JSON on a line of its own, as the
// stdio transport of the Model Context Protocol has it.
//
// Messages are written in their order without blocking the event loop; a client that does not read
// is given up when too much is waiting for it.
#ifndef CUFLS_MCP_LINE_CHANNEL_H
#define CUFLS_MCP_LINE_CHANNEL_H

#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <deque>
#include <functional>
#include <string>

namespace cufc {

class LineChannel {
public:
  using Received = std::function<void(const std::string &line)>;
  // Takes over the descriptors. `ended` is called once, when nothing more can come.
  LineChannel(asio::io_context &loop, int input, int output, Received received,
              std::function<void()> ended);

  void start() { read(); }
  // `line` has no line feed.
  void send(std::string line);
  // Whether all that was sent has been written.
  bool idle() const { return waiting.empty(); }

private:
  void read();
  void takeLines();
  void write();
  void end();

  asio::posix::stream_descriptor input, output;
  Received received;
  std::function<void()> ended;
  std::string buffer, pending;
  size_t searched = 0; // of `pending`, without a line feed
  std::deque<std::string> waiting;
  size_t waitingBytes = 0;
  bool over = false;
};

} // namespace cufc
#endif // CUFLS_MCP_LINE_CHANNEL_H
