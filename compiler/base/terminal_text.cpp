// See terminal_text.h.
#include "base/terminal_text.h"
#include "base/source_text.h"
#include <fmt/format.h>

namespace cufc {
namespace {

// Of a UTF-8 character.
unsigned codePoint(std::string_view character) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1)
    return byte(0);
  unsigned result = byte(0) & (0x7fU >> character.size());
  for (size_t i = 1; i < character.size(); ++i)
    result = result << 6 | (byte(i) & 0x3fU);
  return result;
}

bool isControl(unsigned code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

// Marks, embeddings, overrides and isolates (Unicode Standard Annex 9), and ends of lines.
bool changesOrder(unsigned code) {
  return code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

// "\033[1;31m" at the beginning of the text, or nothing.
std::string_view lookAt(std::string_view text) {
  if (!text.starts_with("\033["))
    return {};
  size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? text.substr(0, end + 1)
                                                           : std::string_view();
}

std::string shown(std::string_view text, LineEnds lineEnds, bool keepColours) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    if (std::string_view colour = keepColours ? lookAt(text.substr(at)) : ""; !colour.empty()) {
      result += colour;
      at += colour.size();
      continue;
    }
    size_t length = characterLength(text, at);
    const bool ascii = static_cast<unsigned char>(text[at]) < 0x80;
    std::string_view character = text.substr(at, std::max<size_t>(length, 1));
    at += character.size();
    if (length == 0 && !ascii)
      result += "\xef\xbf\xbd";
    else if (isHarmless(character) || (character == "\n" && lineEnds == LineEnds::Kept))
      result += character;
    else if (character == "\r" && lineEnds == LineEnds::Kept && text.substr(at, 1) == "\n")
      continue;
    else if (unsigned code = codePoint(character); code < 0x100)
      result += fmt::format("\\x{:02x}", code);
    else
      result += fmt::format("\\u{:04x}", code);
  }
  return result;
}

} // namespace

std::string terminalText(std::string_view text, LineEnds lineEnds) {
  return shown(text, lineEnds, false);
}

std::string colouredTerminalText(std::string_view text) {
  return shown(text, LineEnds::Kept, true);
}

bool isHarmless(std::string_view character) {
  const unsigned code = codePoint(character);
  return code == '\t' || (!isControl(code) && !changesOrder(code));
}

} // namespace cufc
