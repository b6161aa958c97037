// Messages of JSON-RPC over a stream of bytes: a header with the length, an empty line, the
// content.
#ifndef CUFLS_SERVER_FRAMING_H
#define CUFLS_SERVER_FRAMING_H

#include <optional>
#include <string>
#include <string_view>

namespace cufc {

class MessageReader {
public:
  // Larger messages than these break the stream.
  void allow(size_t bytes) { most = bytes; }

  void add(std::string_view bytes) { buffer += bytes; }

  // The content of the next message, if it is all there.
  std::optional<std::string> next();

  // The stream holds something that is no message, so that nothing behind it can be trusted.
  bool broken() const { return bad; }

  static constexpr size_t mostHeader = size_t(64) << 10;
  static constexpr size_t mostContent = size_t(256) << 20;

private:
  bool readHeader();
  std::string buffer;
  size_t most = mostContent;
  std::optional<size_t> length; // of the content that follows, once the header is read
  bool bad = false;
};

// With its header.
std::string framed(std::string_view content);

} // namespace cufc
#endif // CUFLS_SERVER_FRAMING_H
