// Only words that are in lower case in the message are looked up: what has capitals came from the
// source.
#include "source/spelling.h"
#include "base/source_text.h"
#include "source/api_names.h"
#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace cufc {
namespace {

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class Speller {
public:
  explicit Speller(std::string_view text) {
    for (std::string_view line : linesOf(text))
      readLine(line);
  }

  // Replaces each word of a text for which `wanted` holds.
  std::string spelt(std::string_view text, std::string_view place) const {
    std::unordered_map<std::string, std::string> nearby;
    addWords(place, nearby);
    std::string result;
    for (size_t i = 0; i < text.size();) {
      size_t end = i;
      while (end < text.size() && isWord(text[end]))
        ++end;
      if (end == i) {
        result += text[i++];
        continue;
      }
      result += spelling(std::string(text.substr(i, end - i)), nearby);
      i = end;
    }
    return result;
  }

  // The same for what stands in quotes.
  std::string speltInQuotes(std::string_view text, std::string_view place) const {
    std::string result;
    for (size_t i = 0; i < text.size();) {
      size_t open = text.find('\'', i);
      size_t close = open == std::string_view::npos ? open : text.find('\'', open + 1);
      if (close == std::string_view::npos)
        return result.append(text.substr(i));
      result.append(text.substr(i, open - i + 1));
      result.append(spelt(text.substr(open + 1, close - open - 1), place)).append("'");
      i = close + 1;
    }
    return result;
  }

private:
  using Words = std::unordered_map<std::string, std::string>;

  static void addWords(std::string_view text, Words &words) {
    for (size_t i = 0; i < text.size();) {
      size_t end = i;
      while (end < text.size() && isWord(text[end]))
        ++end;
      if (end > i && !std::isdigit(static_cast<unsigned char>(text[i]))) {
        std::string word(text.substr(i, end - i));
        words.emplace(lowerCase(word), word);
      }
      i = std::max(end, i + 1);
    }
  }

  // Without comments and character constants.
  void readLine(std::string_view line) {
    char quote = 0;
    size_t begin = 0;
    for (size_t i = 0; i <= line.size(); ++i) {
      char c = i < line.size() ? line[i] : '!';
      if (quote) {
        if (c == quote || i == line.size()) {
          quote = 0;
          begin = i + 1;
        }
      } else if (c == '\'' || c == '"' || c == '!') {
        addWords(line.substr(std::min(begin, line.size()), i > begin ? i - begin : 0), words);
        if (c == '!')
          return;
        quote = c;
      }
    }
  }

  std::string spelling(const std::string &word, const Words &nearby) const {
    bool lower = std::none_of(word.begin(), word.end(),
                              [](char c) { return std::isupper(static_cast<unsigned char>(c)); });
    if (!lower || std::isdigit(static_cast<unsigned char>(word[0])))
      return word;
    if (auto found = nearby.find(word); found != nearby.end())
      return found->second;
    if (auto found = words.find(word); found != words.end())
      return found->second;
    const ApiName *row = findApiName(word);
    return row ? std::string(row->name) : word;
  }

  Words words;
};

} // namespace

void restoreSpelling(std::vector<Diagnostic> &diagnostics, const std::string &file,
                     const std::string &text) {
  if (diagnostics.empty())
    return;
  Speller speller(text);
  SourceLines lines;
  lines.add(file, text);
  auto textAt = [&](const SourceRange &range) {
    std::string_view line = lines.line(range.file, range.line);
    size_t begin = static_cast<size_t>(std::max(range.column - 1, 0));
    bool single = range.endLine == range.line && range.endColumn > range.column;
    return range.line < 1 || begin >= line.size() ? std::string_view()
           : single ? line.substr(begin, static_cast<size_t>(range.endColumn - range.column))
                    : line.substr(begin);
  };
  for (Diagnostic &diagnostic : diagnostics) {
    std::string_view place = textAt(diagnostic.range);
    diagnostic.message = speller.speltInQuotes(diagnostic.message, place);
    for (Diagnostic &related : diagnostic.related)
      related.message = speller.speltInQuotes(related.message, textAt(related.range));
    for (Fix &fix : diagnostic.fixes) {
      fix.title = speller.speltInQuotes(fix.title, place);
      for (TextEdit &edit : fix.edits)
        if (edit.text.find_first_of("'\"") == std::string::npos)
          edit.text = speller.spelt(edit.text, place);
    }
  }
}

} // namespace cufc
