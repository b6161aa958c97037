// See comments.h. Lines that begin with "!$", "!dir$", "!pgi$" or "!@cuf" are no comments but
// directives or code.
#include "source/comments.h"
#include <algorithm>
#include <cctype>

namespace cufc {
namespace {

constexpr std::string_view blanks = " \t\r\f\v";

bool startsWith(std::string_view text, std::string_view word) {
  return text.size() >= word.size() &&
         std::equal(word.begin(), word.end(), text.begin(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

// What follows the comment's mark begins like a directive: "$omp", "dir$", "@cuf".
bool isDirective(std::string_view behindMark) {
  return startsWith(behindMark, "$") || startsWith(behindMark, "dir$") ||
         startsWith(behindMark, "pgi$") || startsWith(behindMark, "@cuf");
}

bool isComment(std::string_view line, bool fixedForm) {
  size_t first = line.find_first_not_of(blanks);
  if (first == std::string_view::npos)
    return false;
  bool fixedMark =
      fixedForm && std::string_view("cC*dD").find(line.front()) != std::string_view::npos;
  if (fixedMark)
    return !isDirective(line.substr(1));
  return line[first] == '!' && !isDirective(line.substr(first + 1));
}

// The comment without its marks: "!", "!>", "!<", "!!", and one blank.
std::string_view content(std::string_view comment) {
  comment.remove_prefix(std::min(comment.find_first_not_of(blanks), comment.size()));
  if (!comment.empty())
    comment.remove_prefix(1);
  while (!comment.empty() && (comment.front() == '!' || comment.front() == '>' ||
                              comment.front() == '<' || comment.front() == '*'))
    comment.remove_prefix(1);
  if (!comment.empty() && comment.front() == ' ')
    comment.remove_prefix(1);
  size_t last = comment.find_last_not_of(blanks);
  return comment.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

// Lines that only draw: "!-----".
bool isRule(std::string_view text) {
  return !text.empty() && std::none_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c >= 0x80;
  });
}

// Without rules and empty lines at both ends.
std::string joined(std::vector<std::string_view> texts) {
  auto isEmpty = [](std::string_view text) { return text.empty() || isRule(text); };
  while (!texts.empty() && isEmpty(texts.back()))
    texts.pop_back();
  texts.erase(texts.begin(), std::find_if_not(texts.begin(), texts.end(), isEmpty));
  size_t indentation = std::string_view::npos; // of all
  for (std::string_view text : texts)
    indentation = std::min(indentation, text.find_first_not_of(blanks));
  for (std::string_view &text : texts)
    text.remove_prefix(std::min(indentation, text.size()));
  std::string result;
  for (std::string_view text : texts)
    result.append(result.empty() ? "" : "\n").append(text);
  return result;
}

} // namespace

Comments::Comments(std::string_view text, bool fixedForm) {
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    lines.push_back({line, isComment(line, fixedForm)});
    begin = end + 1;
  }
}

const Comments::Line *Comments::line(int number) const {
  return number >= 1 && static_cast<size_t>(number) <= lines.size()
             ? &lines[static_cast<size_t>(number) - 1]
             : nullptr;
}

std::string Comments::above(int number) const {
  std::vector<std::string_view> texts;
  while (const Line *comment = line(--number)) {
    if (!comment->comment)
      break;
    texts.push_back(content(comment->text));
  }
  std::reverse(texts.begin(), texts.end());
  return joined(std::move(texts));
}

std::string Comments::behind(int number, int column) const {
  const Line *first = line(number);
  if (!first || column < 1 || static_cast<size_t>(column) > first->text.size())
    return {};
  size_t mark = first->text.find_first_not_of(blanks, static_cast<size_t>(column) - 1);
  if (mark == std::string_view::npos || first->text[mark] != '!')
    return {};
  std::vector<std::string_view> texts = {content(first->text.substr(mark))};
  while (const Line *next = line(++number)) {
    if (!next->comment || next->text.find_first_not_of(blanks) < mark || mark == 0)
      break;
    texts.push_back(content(next->text));
  }
  return joined(std::move(texts));
}

std::vector<std::pair<int, int>> Comments::blocks() const {
  std::vector<std::pair<int, int>> found;
  for (size_t i = 0; i < lines.size(); ++i) {
    size_t begin = i;
    while (i < lines.size() && lines[i].comment)
      ++i;
    if (i >= begin + 2)
      found.emplace_back(static_cast<int>(begin) + 1, static_cast<int>(i));
  }
  return found;
}

bool hasComment(std::string_view line) {
  char quote = 0;
  for (char c : line) {
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '\'' || c == '"')
      quote = c;
    else if (c == '!')
      return true;
  }
  return false;
}

} // namespace cufc
