// Lines end with "\n", "\r\n" or "\r", as the protocol has it. An edit only looks at the lines that
// it changes: the starts of those behind it move.
#include "index/document.h"
#include <algorithm>

namespace cufc {

size_t bytesOfCharacter(std::string_view text, size_t at) {
  auto byte = static_cast<unsigned char>(text[at]);
  size_t length = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : byte < 0xF8 ? 4 : 1;
  if (at + length > text.size())
    return 1;
  for (size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80)
      return 1;
  return length;
}

int unitsOfCharacter(size_t characterBytes, PositionEncoding encoding) {
  if (encoding == PositionEncoding::Utf8)
    return static_cast<int>(characterBytes);
  return encoding == PositionEncoding::Utf16 && characterBytes == 4 ? 2 : 1;
}

namespace {

// Appends the starts of the lines that begin in (from, to].
void appendStarts(std::string_view text, size_t from, size_t to, std::vector<size_t> &starts) {
  for (size_t i = from; i < to; ++i)
    if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')))
      starts.push_back(i + 1);
}

} // namespace

Document::Document(std::string text) : content(std::move(text)) { findLines(); }

void Document::replace(std::string text) {
  content = std::move(text);
  findLines();
}

void Document::findLines() {
  starts.assign(1, 0);
  appendStarts(content, 0, content.size(), starts);
}

std::string_view Document::line(int number) const {
  if (number < 1 || number > lineCount())
    return {};
  size_t begin = starts[static_cast<size_t>(number) - 1];
  size_t end = number < lineCount() ? starts[static_cast<size_t>(number)] : content.size();
  std::string_view text = std::string_view(content).substr(begin, end - begin);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
    text.remove_suffix(1);
  return text;
}

std::string_view Document::slice(const TextRange &range) const {
  size_t begin = offsetOf(range.begin), end = offsetOf(range.end);
  return std::string_view(content).substr(begin, end > begin ? end - begin : 0);
}

size_t Document::offsetOf(TextPosition position) const {
  if (position.line < 1)
    return 0;
  if (position.line > lineCount())
    return content.size();
  size_t column = position.column < 1 ? 0 : static_cast<size_t>(position.column) - 1;
  return starts[static_cast<size_t>(position.line) - 1] +
         std::min(column, line(position.line).size());
}

TextPosition Document::positionAt(size_t offset) const {
  offset = std::min(offset, content.size());
  auto next = std::upper_bound(starts.begin(), starts.end(), offset);
  size_t start = *(next - 1);
  return {static_cast<int>(next - starts.begin()), static_cast<int>(offset - start) + 1};
}

int Document::unitsBefore(TextPosition position, PositionEncoding encoding) const {
  std::string_view text = line(position.line);
  size_t bytes = position.column < 1 ? 0 : static_cast<size_t>(position.column) - 1;
  int units = 0;
  for (size_t at = 0; at < std::min(bytes, text.size());) {
    size_t length = bytesOfCharacter(text, at);
    if (at + length > bytes)
      break;
    units += unitsOfCharacter(length, encoding);
    at += length;
  }
  return units;
}

TextPosition Document::positionOf(int line, int units, PositionEncoding encoding) const {
  if (line < 0)
    return {1, 1};
  if (line >= lineCount())
    return positionAt(content.size());
  std::string_view text = this->line(line + 1);
  size_t at = 0;
  for (int passed = 0; at < text.size();) {
    size_t length = bytesOfCharacter(text, at);
    passed += unitsOfCharacter(length, encoding);
    if (passed > units)
      break;
    at += length;
  }
  return {line + 1, static_cast<int>(at) + 1};
}

void Document::apply(const TextChange &change) {
  size_t begin = offsetOf(change.range.begin);
  size_t end = std::max(begin, offsetOf(change.range.end));
  // From the line before the edit, whose end may be a "\r" that the edit completes.
  auto first = static_cast<size_t>(std::max(1, change.range.begin.line - 1));
  first = std::min(first, starts.size());
  size_t from = starts[first - 1];
  auto behind = std::upper_bound(starts.begin(), starts.end(), std::min(end + 1, content.size()));
  std::vector<size_t> moved(behind, starts.end());
  content.replace(begin, end - begin, change.text);
  for (size_t &start : moved)
    start = start - (end - begin) + change.text.size();
  starts.resize(first);
  size_t to = moved.empty() ? content.size() : moved.front() - 1;
  appendStarts(content, from, to, starts);
  starts.insert(starts.end(), moved.begin(), moved.end());
}

TextChange Document::shortened(const TextChange &change) const {
  size_t begin = offsetOf(change.range.begin);
  std::string_view removed(content), added(change.text);
  removed = removed.substr(begin, std::max(begin, offsetOf(change.range.end)) - begin);
  auto isInside = [](std::string_view text, size_t at) { // of a character, or of "\r\n"
    return at < text.size() && ((static_cast<unsigned char>(text[at]) & 0xC0) == 0x80 ||
                                (text[at] == '\n' && at > 0 && text[at - 1] == '\r'));
  };
  auto differing = std::mismatch(removed.begin(), removed.end(), added.begin(), added.end());
  auto head = static_cast<size_t>(differing.first - removed.begin());
  while (head > 0 && (isInside(removed, head) || isInside(added, head)))
    --head;
  removed.remove_prefix(head);
  added.remove_prefix(head);
  auto last = std::mismatch(removed.rbegin(), removed.rend(), added.rbegin(), added.rend());
  auto tail = static_cast<size_t>(last.first - removed.rbegin());
  while (tail > 0 &&
         (isInside(removed, removed.size() - tail) || isInside(added, added.size() - tail)))
    --tail;
  TextPosition from = positionAt(begin + head);
  return {{from, positionAt(begin + head + removed.size() - tail)},
          std::string(added.substr(0, added.size() - tail))};
}

} // namespace cufc
