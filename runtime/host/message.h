// A text for standard error that is put together in pieces, written at once, and shown to a
// debugger.
#ifndef CUFRT_HOST_MESSAGE_H
#define CUFRT_HOST_MESSAGE_H

#include <cstddef>
#include <cstdio>

namespace cufrt::host {

class Message {
public:
  Message();
  Message(const Message &) = delete;
  ~Message();

  // Where its pieces are written to.
  std::FILE *stream() const { return pieces ? pieces : stderr; }

private:
  std::FILE *pieces;
  char *text = nullptr;
  size_t bytes = 0;
};

} // namespace cufrt::host
#endif // CUFRT_HOST_MESSAGE_H
