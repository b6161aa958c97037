// The text of a file as it is now, and positions in it.
//
// A position is a line and a column, both from 1, columns in bytes of UTF-8, as everywhere in this
// project. Clients count columns from 0 in units of an encoding that is agreed on.
#ifndef CUFLS_INDEX_DOCUMENT_H
#define CUFLS_INDEX_DOCUMENT_H

#include <string>
#include <string_view>
#include <vector>

namespace cufc {

struct TextPosition {
  int line = 1;
  int column = 1;
  auto operator<=>(const TextPosition &) const = default;
};

// `end` is exclusive.
struct TextRange {
  TextPosition begin, end;
  bool operator==(const TextRange &) const = default;
  bool contains(TextPosition p) const { return begin <= p && p < end; }
  // The same, and right behind it, where a cursor stands after a word.
  bool touches(TextPosition p) const { return begin <= p && p <= end; }
};

enum class PositionEncoding { Utf8, Utf16, Utf32 };

// Bytes of the character that begins at a byte of a line, at least 1; damaged UTF-8 counts byte by
// byte. And what a character of so many bytes counts in an encoding.
size_t bytesOfCharacter(std::string_view text, size_t at);
int unitsOfCharacter(size_t characterBytes, PositionEncoding encoding);

// A range of the text before, and the text that stands there afterwards.
struct TextChange {
  TextRange range;
  std::string text;
};

class Document {
public:
  explicit Document(std::string text = {});

  const std::string &text() const { return content; }
  int lineCount() const { return static_cast<int>(starts.size()); }
  // Without its end; empty for lines that are not there.
  std::string_view line(int number) const;
  std::string_view slice(const TextRange &range) const;

  // The byte at a position; positions outside of the text are moved to the nearest inside.
  size_t offsetOf(TextPosition position) const;
  TextPosition positionAt(size_t offset) const;
  TextRange all() const { return {{1, 1}, positionAt(content.size())}; }

  // Between columns from 1 in bytes and from 0 in units of an encoding. Columns behind the end of a
  // line mean its end; one inside a character, its beginning.
  int unitsBefore(TextPosition position, PositionEncoding encoding) const;
  TextPosition positionOf(int line, int units, PositionEncoding encoding) const; // line from 0

  void apply(const TextChange &change);
  // The same change without what the replaced text and the new one have in common at their ends:
  // some clients send the whole text for each key.
  TextChange shortened(const TextChange &change) const;
  void replace(std::string text);

private:
  void findLines();

  std::string content;
  std::vector<size_t> starts; // of lines
};

} // namespace cufc
#endif // CUFLS_INDEX_DOCUMENT_H
