// Text of source files as messages show it: lines, characters, paths. Columns of diagnostics count
// bytes; what is written for others counts characters, and must be valid UTF-8 whatever the source
// holds.
#ifndef CUFC_BASE_SOURCE_TEXT_H
#define CUFC_BASE_SOURCE_TEXT_H

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cufc {

// The length of the UTF-8 character at `at`, or 0 if the bytes there are none or a control
// character other than a tab.
size_t characterLength(std::string_view text, size_t at);

// The column, from 1, in characters of a column in bytes; bytes that are no text count as one each.
int characterColumn(std::string_view line, int byteColumn);

// `text` with U+FFFD for each byte that does not belong to a UTF-8 character.
std::string validText(std::string_view text);

// The path as a user would type it: flang names files of the current folder "./name", and lowering
// names them by their full paths.
std::string shownPath(const std::string &path);

// How many changes of one character, or swaps of two neighbours, make one word of the other; case
// does not count.
size_t editDistance(std::string_view one, std::string_view other);

// With the letters of ASCII in lower case, as Fortran compares names.
std::string lowerCase(std::string_view text);

// The lines of a text without their ends.
std::vector<std::string_view> linesOf(std::string_view text);

// Lines of files, each file read once. What cannot be read has empty lines.
class SourceLines {
public:
  // The text of a file that may differ from what is on disk.
  void add(const std::string &file, std::string text);
  // Without its end; valid as long as this object.
  std::string_view line(const std::string &file, int number);

private:
  struct File {
    std::string text;
    std::vector<size_t> begins;
  };
  static void findLines(File &file);
  std::unordered_map<std::string, File> files;
};

} // namespace cufc
#endif // CUFC_BASE_SOURCE_TEXT_H
