// See line_channel.h. A carriage return before the line feed is no part of the message.
#include "mcp/line_channel.h"
#include <asio/buffer.hpp>
#include <asio/write.hpp>

namespace cufc {
namespace {
constexpr size_t longestLine = size_t(64) << 20;
constexpr size_t mostWaiting = size_t(256) << 20;
} // namespace

LineChannel::LineChannel(asio::io_context &loop, int in, int out, Received received,
                         std::function<void()> ended)
    : input(loop, in), output(loop, out), received(std::move(received)), ended(std::move(ended)),
      buffer(size_t(1) << 16, '\0') {}

void LineChannel::read() {
  input.async_read_some(asio::buffer(buffer), [this](const asio::error_code &error, size_t n) {
    if (error)
      return end();
    pending.append(buffer, 0, n);
    takeLines();
    if (pending.size() > longestLine)
      return end();
    read();
  });
}

void LineChannel::takeLines() {
  size_t begin = 0, stop;
  while ((stop = pending.find('\n', std::max(begin, searched))) != std::string::npos) {
    std::string line = pending.substr(begin, stop - begin);
    begin = stop + 1;
    if (!line.empty() && line.back() == '\r')
      line.pop_back();
    if (!line.empty())
      received(line);
  }
  pending.erase(0, begin);
  searched = pending.size();
}

void LineChannel::send(std::string line) {
  if (over)
    return;
  line += '\n';
  waitingBytes += line.size();
  waiting.push_back(std::move(line));
  if (waitingBytes > mostWaiting)
    return end();
  if (waiting.size() == 1)
    write();
}

void LineChannel::write() {
  asio::async_write(output, asio::buffer(waiting.front()),
                    [this](const asio::error_code &error, size_t) {
                      if (error)
                        return end();
                      waitingBytes -= waiting.front().size();
                      waiting.pop_front();
                      if (!waiting.empty())
                        write();
                    });
}

// What was sent before the end of the input is still written.
void LineChannel::end() {
  if (!std::exchange(over, true))
    ended();
}

} // namespace cufc
