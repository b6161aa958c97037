// Each line is looked at alone. A mark that is nearly right counts only before a word that begins a
// directive, so that prose is left alone; `! $omp` is how people switch a directive off, and is
// too.
#include "source/unread_text.h"
#include "base/source_text.h"
#include "source/comments.h"
#include <algorithm>
#include <cctype>
#include <optional>

namespace cufc {
namespace {

constexpr std::string_view blanks = " \t";
constexpr size_t cardWidth = 8; // columns 73 to 80

// With what the directives of each mark begin.
struct Mark {
  std::string_view name;
  std::vector<std::string_view> words;
};

const std::vector<Mark> &marks() {
  static const std::vector<Mark> all = {
      {"cuf", {"kernel"}},
      {"omp",
       {"parallel", "do",      "end",    "target",   "teams",    "distribute",    "simd",
        "critical", "atomic",  "task",   "taskwait", "taskloop", "single",        "barrier",
        "sections", "section", "master", "masked",   "ordered",  "threadprivate", "workshare",
        "flush",    "declare", "loop"}}};
  return all;
}

bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)); }

std::string_view wordAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && isLetter(text[end]))
    ++end;
  return text.substr(at, end - at);
}

// Of what follows a comment's mark: the name of a mark, and the word behind it. The dollar stands
// before the name, before blanks, or behind the name.
struct Parts {
  std::string_view name, word;
  size_t nameEnd; // with the dollar
  bool proper;    // dollar and name, and nothing between them
};

std::optional<Parts> partsOf(std::string_view text) {
  size_t at = 0;
  bool dollar = text.starts_with('$');
  if (dollar)
    at = std::min(text.find_first_not_of(blanks, 1), text.size());
  bool apart = dollar && at > 1;
  std::string_view name = wordAt(text, at);
  at += name.size();
  if (!dollar) {
    if (at >= text.size() || text[at] != '$')
      return std::nullopt;
    ++at;
  }
  size_t word = text.find_first_not_of(blanks, at);
  if (name.empty() || word == std::string_view::npos || word == at)
    return std::nullopt;
  return Parts{name, wordAt(text, word), at, dollar && !apart};
}

// The name that was meant, if another was written or the dollar is in the wrong place.
std::string_view meantName(const Parts &parts) {
  constexpr std::string_view others[] = {"acc", "pgi", "dir", "dec", "hpf", "ibm", "gcc"};
  for (const Mark &mark : marks()) {
    bool same = parts.name == mark.name;
    bool near = parts.name.size() > 1 && editDistance(parts.name, mark.name) == 1 &&
                std::find(std::begin(others), std::end(others), parts.name) == std::end(others);
    bool cuda = mark.name == "cuf" && (parts.name == "cuda" || parts.name == "cudafor");
    if ((same ? !parts.proper : near || cuda) &&
        std::find(mark.words.begin(), mark.words.end(), parts.word) != mark.words.end())
      return mark.name;
  }
  return {};
}

bool isDirective(const Parts &parts) {
  return parts.proper && std::any_of(marks().begin(), marks().end(), [&](const Mark &mark) {
           return parts.name == mark.name &&
                  std::find(mark.words.begin(), mark.words.end(), parts.word) != mark.words.end();
         });
}

// Where the comment of a line that is nothing else begins.
size_t commentOf(std::string_view line, bool fixedForm) {
  if (fixedForm && !line.empty() && std::string_view("cC*").find(line[0]) != std::string_view::npos)
    return 0;
  size_t at = line.find_first_not_of(blanks);
  bool continues = fixedForm && at == 5;
  return at != std::string_view::npos && line[at] == '!' && !continues ? at
                                                                       : std::string_view::npos;
}

std::optional<UnreadText> almostDirective(std::string_view line, int number, bool fixedForm) {
  size_t at = commentOf(line, fixedForm);
  if (at == std::string_view::npos)
    return std::nullopt;
  const std::string lower = lowerCase(line.substr(at + 1));
  const int column = static_cast<int>(at) + 1;
  const std::optional<Parts> parts = partsOf(lower);
  if (!parts)
    return std::nullopt;
  if (fixedForm && at > 0 && isDirective(*parts)) {
    size_t end = at + 1 + parts->nameEnd;
    std::string mark(line.substr(at, end - at));
    return UnreadText{number, 1, line.substr(0, end), mark};
  }
  std::string_view name = meantName(*parts);
  if (name.empty())
    return std::nullopt;
  return UnreadText{number, column, line.substr(at, parts->nameEnd + 1),
                    std::string(1, line[at]) + "$" + std::string(name)};
}

// Numbers and names of cards in columns 73 to 80, and comments, are what stands there on purpose.
bool isOnPurpose(std::string_view line, size_t columns) {
  std::string_view behind = line.substr(columns);
  size_t begin = behind.find_first_not_of(blanks);
  if (begin == std::string_view::npos || behind[begin] == '!')
    return true;
  if (line.find('\t') < 6) // counts for more than one column, not everywhere for the same
    return true;
  bool joins = begin == 0 && columns > 0 && line[columns - 1] != ' ';
  size_t last = behind.find_last_not_of(" \t\r");
  std::string_view word = behind.substr(begin, last + 1 - begin);
  auto ofCard = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.'; };
  bool fits = joins ? word.size() == cardWidth : word.size() <= cardWidth;
  return fits && std::all_of(word.begin(), word.end(), ofCard);
}

std::optional<UnreadText> cutText(std::string_view line, int number, size_t columns) {
  bool comment = line.empty() || line[0] == '#' ||
                 std::string_view("cCdD*!").find(line[0]) != std::string_view::npos ||
                 commentOf(line, true) != std::string_view::npos;
  if (comment || line.size() <= columns || hasComment(line.substr(0, columns)) ||
      isOnPurpose(line, columns))
    return std::nullopt;
  std::string_view behind = line.substr(columns);
  behind = behind.substr(0, behind.find_last_not_of(" \t\r") + 1);
  return UnreadText{number, static_cast<int>(columns) + 1, behind, {}};
}

} // namespace

std::vector<UnreadText> unreadText(std::string_view text, bool fixedForm, int fixedColumns) {
  std::vector<UnreadText> found;
  int number = 0;
  for (std::string_view line : linesOf(text)) {
    ++number;
    if (auto directive = almostDirective(line, number, fixedForm))
      found.push_back(std::move(*directive));
    else if (auto cut = fixedForm ? cutText(line, number, static_cast<size_t>(fixedColumns))
                                  : std::optional<UnreadText>())
      found.push_back(std::move(*cut));
  }
  return found;
}

} // namespace cufc
