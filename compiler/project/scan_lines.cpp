// One look at each character. Lines that continue each other stand or fall together, and in doubt a
// line stays. Of the statements that mean nothing the first behind each END stays, since it may be
// the first of a main program without a PROGRAM statement.
#include "project/scan_lines.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace cufc {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool beginsWith(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(),
                                                  [](char w, char t) { return w == lower(t); });
}

template <size_t N>
bool beginsWithAny(std::string_view text, const std::array<std::string_view, N> &words) {
  return std::any_of(words.begin(), words.end(), [&](auto word) { return beginsWith(text, word); });
}

// Data of the device: its memory is the first word of a declaration or stands behind a comma.
bool declaresDeviceData(std::string_view before) {
  static constexpr std::array<std::string_view, 7> words = {
      "device", "managed", "pinned", "constant", "shared", "unified", "texture"};
  size_t first = before.find_first_not_of(" \t");
  if (first != std::string_view::npos && beginsWithAny(before.substr(first), words))
    return true;
  for (size_t comma = before.find(','); comma != std::string_view::npos;
       comma = before.find(',', comma + 1)) {
    size_t word = before.find_first_not_of(" \t", comma + 1);
    if (word != std::string_view::npos && beginsWithAny(before.substr(word), words))
      return true;
  }
  return false;
}

// Whether a line holds a word that matters wherever it stands.
bool holdsWord(std::string_view line) {
  for (size_t i = 0; i < line.size(); ++i) {
    std::string_view rest = line.substr(i);
    switch (line[i]) {
    case ';':
      return true;
    case '<':
      if (rest.starts_with("<<<"))
        return true;
      break;
    case ':':
      if (rest.starts_with("::") && declaresDeviceData(line.substr(0, i)))
        return true;
      break;
    case 'c':
    case 'C':
      if (beginsWith(rest, "call"))
        return true;
      break;
    case 'f':
    case 'F':
      if (beginsWith(rest, "function"))
        return true;
      break;
    case 'p':
    case 'P':
      if (beginsWith(rest, "procedure"))
        return true;
      break;
    case 's':
    case 'S':
      if (beginsWith(rest, "subroutine"))
        return true;
      break;
    default:
      break;
    }
  }
  return false;
}

// The beginning of a statement without its label and blanks.
std::string headOf(std::string_view statement) {
  std::string head;
  size_t at = 0;
  while (at < statement.size() && (isBlank(statement[at]) || std::isdigit(statement[at])))
    ++at;
  for (; at < statement.size() && head.size() < 16; ++at)
    if (!isBlank(statement[at]))
      head += lower(statement[at]);
  return head;
}

bool isEndOfConstruct(const std::string &head) {
  static constexpr std::array<std::string_view, 10> words = {
      "enddo",   "endif",       "endwhere",     "endselect", "endtype",
      "endenum", "endcritical", "endassociate", "endforall", "endteam"};
  return beginsWithAny(head, words);
}

class Filter {
public:
  Filter(const std::string &text, bool fixedForm) : text(text), fixedForm(fixedForm) {}

  std::string run() {
    result.reserve(text.size() / 4);
    for (size_t begin = 0; begin < text.size();) {
      size_t end = std::min(text.find('\n', begin), text.size());
      line(begin, std::string_view(text).substr(begin, end - begin));
      begin = end + 1;
      ++lines;
      if (!continues && !fixedForm)
        finish(begin);
    }
    finish(text.size());
    return std::move(result);
  }

private:
  // Statements of fixed form end where the next one begins.
  void line(size_t begin, std::string_view line) {
    size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos)
      return;
    if (line[0] == '#')
      keep = true;
    else if (isComment(line, first))
      comment(line, first);
    else
      statement(begin, line, first);
  }

  bool isComment(std::string_view line, size_t first) const {
    if (!fixedForm)
      return line[first] == '!';
    return std::string_view("cC*!dD").find(line[0]) != std::string_view::npos ||
           (line[first] == '!' && first != 5);
  }

  // Directives, and lines that are statements where CUDA, OpenACC or OpenMP is on.
  void comment(std::string_view line, size_t first) {
    if (first + 1 >= line.size() || (line[first + 1] != '$' && line[first + 1] != '@'))
      return;
    keep = true;
    continues |= !fixedForm && endsWithMark(line);
  }

  void statement(size_t begin, std::string_view line, size_t first) {
    if (fixedForm && !continuesFixed(line))
      finish(begin);
    std::string head = headOf(line.substr(first));
    static constexpr std::array<std::string_view, 10> words = {
        "use",      "module",     "submodule", "program",  "interface",
        "abstract", "attributes", "include",   "external", "block"};
    bool ends = head.starts_with("end") && !isEndOfConstruct(head);
    if (ends || beginsWithAny(head, words) || holdsWord(line))
      keep = true;
    if (ends)
      behindEnd = true;
    else if (behindEnd) {
      keep = true;
      behindEnd = false;
    }
    continues = !fixedForm && endsWithMark(line);
  }

  static bool continuesFixed(std::string_view line) {
    size_t tab = line.find('\t');
    if (tab < 6)
      return tab + 1 < line.size() && line[tab + 1] >= '1' && line[tab + 1] <= '9';
    return line.size() > 5 && line[5] != ' ' && line[5] != '0';
  }

  // Of free form, perhaps before a comment.
  static bool endsWithMark(std::string_view line) {
    size_t mark = line.rfind('&');
    if (mark == std::string_view::npos)
      return false;
    size_t next = line.find_first_not_of(" \t\r", mark + 1);
    return next == std::string_view::npos || line.find('!') != std::string_view::npos;
  }

  // The group of lines that ends before `end`.
  void finish(size_t end) {
    if (keep)
      result.append(text, start, end - start);
    else
      result.append(lines, '\n');
    start = end;
    lines = 0;
    keep = false;
  }

  const std::string &text;
  const bool fixedForm;
  std::string result;
  size_t start = 0, lines = 0; // of the group
  bool keep = false, continues = false, behindEnd = true;
};

} // namespace

std::string linesOfInterest(const std::string &text, bool fixedForm) {
  return Filter(text, fixedForm).run();
}

} // namespace cufc
