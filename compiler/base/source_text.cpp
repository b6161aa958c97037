// Lines, characters and paths. Files are read when a message needs them, which is rare.
#include "base/source_text.h"
#include "base/files.h"
#include <algorithm>
#include <cctype>
#include <filesystem>

namespace cufc {

size_t characterLength(std::string_view text, size_t at) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char lead = byte(at);
  if (lead < 0x80)
    return lead >= 0x20 || lead == '\t' ? 1 : 0;
  size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || at + length > text.size())
    return 0;
  for (size_t i = at + 1; i < at + length; ++i)
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
  // Overlong forms, surrogates and what lies beyond Unicode.
  unsigned char next = byte(at + 1);
  bool wrong = (lead == 0xe0 && next < 0xa0) || (lead == 0xed && next > 0x9f) ||
               (lead == 0xf0 && next < 0x90) || (lead == 0xf4 && next > 0x8f);
  return wrong ? 0 : length;
}

int characterColumn(std::string_view line, int byteColumn) {
  size_t end = byteColumn > 1 ? byteColumn - 1 : 0;
  size_t inside = std::min(end, line.size());
  int column = 1;
  for (size_t at = 0; at < inside; ++column)
    at += std::max<size_t>(characterLength(line, at), 1);
  return column + static_cast<int>(end - inside);
}

std::string validText(std::string_view text) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    size_t length = characterLength(text, at);
    bool control = length == 0 && static_cast<unsigned char>(text[at]) < 0x80;
    result += length || control ? text.substr(at, std::max<size_t>(length, 1)) : "\xef\xbf\xbd";
    at += std::max<size_t>(length, 1);
  }
  return result;
}

std::string shownPath(const std::string &path) {
  std::error_code error;
  std::string here = std::filesystem::current_path(error).string() + "/";
  for (const std::string &folder : {std::string("./"), here})
    if (path.size() > folder.size() && folder.size() > 1 && path.starts_with(folder))
      return path.substr(folder.size());
  return path;
}

std::string lowerCase(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// Optimal string alignment (Damerau), row by row.
size_t editDistance(std::string_view one, std::string_view other) {
  auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  auto same = [&](size_t i, size_t j) { return lower(one[i - 1]) == lower(other[j - 1]); };
  std::vector<size_t> beforeLast, last(other.size() + 1), line(other.size() + 1);
  for (size_t j = 0; j < line.size(); ++j)
    line[j] = j;
  for (size_t i = 1; i <= one.size(); ++i) {
    beforeLast = std::move(last);
    last = line;
    line[0] = i;
    for (size_t j = 1; j < line.size(); ++j) {
      line[j] = std::min({last[j] + 1, line[j - 1] + 1, last[j - 1] + !same(i, j)});
      if (i > 1 && j > 1 && same(i, j - 1) && same(i - 1, j))
        line[j] = std::min(line[j], beforeLast[j - 2] + 1);
    }
  }
  return line.back();
}

void SourceLines::add(const std::string &file, std::string text) {
  File &added = files[shownPath(file)];
  added.text = std::move(text);
  findLines(added);
}

void SourceLines::findLines(File &file) {
  file.begins.assign(1, 0);
  for (size_t at = 0; (at = file.text.find('\n', at)) != std::string::npos;)
    file.begins.push_back(++at);
}

std::string_view SourceLines::line(const std::string &file, int number) {
  // A file has an absolute and a relative path, and what was added is newer than what is on the
  // disk.
  auto [entry, isNew] = files.try_emplace(shownPath(file));
  File &found = entry->second;
  if (isNew && readFile(file, found.text))
    findLines(found);
  if (number < 1 || static_cast<size_t>(number) > found.begins.size())
    return {};
  size_t begin = found.begins[number - 1];
  std::string_view rest = std::string_view(found.text).substr(begin);
  std::string_view result = rest.substr(0, rest.find('\n'));
  if (!result.empty() && result.back() == '\r')
    result.remove_suffix(1);
  return result;
}

} // namespace cufc
