// See line_markers.h.
#include "source/line_markers.h"
#include <algorithm>
#include <cctype>
#include <cstdio>

namespace cufc {
namespace {

bool isOctal(char c) { return c >= '0' && c <= '7'; }

// `#line "path" 5` at the beginning of the text, with the end of its line; the path may have line
// ends itself.
struct Marker {
  const std::string *path = nullptr;
  std::string_view number;
  size_t size = 0;
};

Marker markerAt(std::string_view text, const std::vector<std::string> &paths) {
  constexpr std::string_view head = "#line \"";
  if (text.substr(0, head.size()) != head)
    return {};
  for (const std::string &path : paths) {
    const size_t quote = head.size() + path.size();
    if (text.substr(head.size(), path.size()) != path || text.substr(quote, 2) != "\" ")
      continue;
    const size_t digits = quote + 2, end = text.find('\n', digits);
    const std::string_view number = text.substr(digits, end - digits);
    if (end != std::string_view::npos && !number.empty() &&
        std::all_of(number.begin(), number.end(), [](unsigned char c) { return std::isdigit(c); }))
      return {&path, number, end + 1};
  }
  return {};
}

} // namespace

std::string markedName(std::string_view path) {
  std::string result;
  for (char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool opensComment =
        c == '*' && !result.empty() && result.back() == '/'; // to flang, in a text too
    if (c == '"' || opensComment || byte < 0x20 || byte == 0x7f) {
      char number[8];
      std::snprintf(number, sizeof number, "\\%03o", byte);
      result += number;
    } else {
      result += c == '\\' ? "\\\\" : std::string(1, c);
    }
  }
  return result;
}

std::string nameInMarker(std::string_view written) {
  std::string result;
  for (size_t at = 0; at < written.size(); ++at) {
    const std::string_view rest = written.substr(at + 1, 3);
    if (written[at] != '\\' || rest.empty()) {
      result += written[at];
    } else if (rest[0] == '\\' || rest[0] == '"') {
      result += written[++at];
    } else if (rest.size() == 3 && std::all_of(rest.begin(), rest.end(), isOctal)) {
      result += static_cast<char>((rest[0] - '0') * 64 + (rest[1] - '0') * 8 + (rest[2] - '0'));
      at += 3;
    } else {
      result += '\\';
    }
  }
  return result;
}

std::string withSingleBackslashes(std::string_view text) {
  std::string result;
  for (size_t at = 0; at < text.size(); ++at) {
    result += text[at];
    at += text.substr(at, 2) == "\\\\";
  }
  return result;
}

std::string nameInLiteral(std::string_view written, char quote) {
  std::string result;
  for (size_t at = 0; at < written.size(); ++at) {
    result += written[at];
    at += written[at] == quote && written.substr(at + 1, 1) == std::string_view(&quote, 1);
  }
  return result;
}

std::string withReadableMarkers(std::string_view text, const std::vector<std::string> &paths) {
  std::string result;
  while (!text.empty()) {
    const Marker marker = markerAt(text, paths);
    if (marker.path) {
      result += "#line " + std::string(marker.number) + " \"" + markedName(*marker.path) + "\"\n";
      text.remove_prefix(marker.size);
      continue;
    }
    const size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
    result += text.substr(0, size);
    text.remove_prefix(size);
  }
  return result;
}

} // namespace cufc
