// The client's end of the conversation: two descriptors, or one socket, with messages each way.
//
// Messages are written in their order without blocking the event loop; a client that does not read
// is given up when too much is waiting for it.
#ifndef CUFLS_SERVER_CHANNEL_H
#define CUFLS_SERVER_CHANNEL_H

#include "server/framing.h"
#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <deque>
#include <functional>

namespace cufc {

class Channel {
public:
  using Received = std::function<void(std::string message)>;
  // `ended` is called once, when nothing more can come; `clean` if the stream ended between
  // messages.
  using Ended = std::function<void(bool clean)>;

  // Takes over the descriptors, which may be equal.
  Channel(asio::io_context &loop, int input, int output, Received received, Ended ended);

  void start() { read(); }
  // Ends at a message that is larger.
  void allow(size_t bytes) { reader.allow(bytes); }
  void send(std::string_view content);
  // Whether all that was sent has been written.
  bool idle() const { return waiting.empty(); }

private:
  void read();
  void write();
  void end(bool clean);

  asio::posix::stream_descriptor input, output;
  Received received;
  Ended ended;
  MessageReader reader;
  std::string buffer;
  std::deque<std::string> waiting;
  size_t waitingBytes = 0;
  bool over = false;
};

} // namespace cufc
#endif // CUFLS_SERVER_CHANNEL_H
