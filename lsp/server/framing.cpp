// See framing.h. Only Content-Length counts; other fields are passed over.
#include "server/framing.h"
#include <algorithm>
#include <cctype>
#include <charconv>

namespace cufc {
namespace {

bool equalsIgnoringCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return (x | 0x20) == (y | 0x20); });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

// A token of RFC 9110, section 5.6.2. The first line of a request that a browser sends is none,
// also if it has a colon, so that no page can have its body read as a message.
bool isFieldName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) ||
           std::string_view("!#$%&'*+-.^_`|~").find(char(c)) != std::string_view::npos;
  });
}

} // namespace

bool MessageReader::readHeader() {
  size_t end = buffer.find("\r\n\r\n");
  if (end == std::string::npos) {
    bad |= buffer.size() > mostHeader;
    return false;
  }
  std::string_view header = std::string_view(buffer).substr(0, end + 2);
  while (!header.empty()) {
    size_t stop = header.find("\r\n");
    std::string_view line = header.substr(0, stop);
    header.remove_prefix(stop + 2);
    size_t colon = line.find(':');
    if (colon == std::string_view::npos || !isFieldName(line.substr(0, colon))) {
      bad = true;
      return false;
    }
    if (!equalsIgnoringCase(trimmed(line.substr(0, colon)), "content-length"))
      continue;
    std::string_view digits = trimmed(line.substr(colon + 1));
    size_t value = 0;
    auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    bad |= error != std::errc() || last != digits.data() + digits.size() || value > most;
    length = value;
  }
  bad |= !length;
  buffer.erase(0, end + 4);
  return !bad;
}

std::optional<std::string> MessageReader::next() {
  if (bad || (!length && !readHeader()) || !length || buffer.size() < *length)
    return std::nullopt;
  std::string content = buffer.substr(0, *length);
  buffer.erase(0, *length);
  length.reset();
  return content;
}

std::string framed(std::string_view content) {
  return "Content-Length: " + std::to_string(content.size()) + "\r\n\r\n" + std::string(content);
}

} // namespace cufc
