// See channel.h.
#include "server/channel.h"
#include <asio/buffer.hpp>
#include <asio/write.hpp>
#include <unistd.h>

namespace cufc {
namespace {
constexpr size_t mostWaiting = size_t(512) << 20;
} // namespace

Channel::Channel(asio::io_context &loop, int in, int out, Received received, Ended ended)
    : input(loop, in), output(loop, in == out ? dup(out) : out), received(std::move(received)),
      ended(std::move(ended)), buffer(size_t(1) << 16, '\0') {}

void Channel::read() {
  input.async_read_some(asio::buffer(buffer), [this](const asio::error_code &error, size_t n) {
    if (error)
      return end(reader.broken() == false);
    reader.add({buffer.data(), n});
    while (std::optional<std::string> message = reader.next())
      received(std::move(*message));
    if (reader.broken())
      return end(false);
    read();
  });
}

void Channel::send(std::string_view content) {
  if (over)
    return;
  waiting.push_back(framed(content));
  waitingBytes += waiting.back().size();
  if (waitingBytes > mostWaiting)
    return end(false);
  if (waiting.size() == 1)
    write();
}

void Channel::write() {
  asio::async_write(output, asio::buffer(waiting.front()),
                    [this](const asio::error_code &error, size_t) {
                      if (error)
                        return end(false);
                      waitingBytes -= waiting.front().size();
                      waiting.pop_front();
                      if (!waiting.empty())
                        write();
                    });
}

void Channel::end(bool clean) {
  if (std::exchange(over, true))
    return;
  waiting.clear();
  ended(clean);
}

} // namespace cufc
