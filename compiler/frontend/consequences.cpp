// See consequences.h.
#include "frontend/consequences.h"
#include "base/source_text.h"
#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

namespace cufc {
namespace {

using Names = std::set<std::string>;

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

template <typename Visit>
void forEachWord(std::string_view text, Visit visit) {
  for (size_t i = 0; i < text.size();) {
    std::string word;
    for (; i < text.size() && isWordCharacter(text[i]); ++i)
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
    if (!word.empty() && !std::isdigit(static_cast<unsigned char>(word[0])))
      visit(word);
    ++i;
  }
}

bool hasAny(std::string_view text, const Names &names) {
  bool found = false;
  forEachWord(text, [&](const std::string &word) { found |= names.count(word) != 0; });
  return found;
}

// What the message has in quotes.
bool namesAny(std::string_view message, const Names &names) {
  for (size_t begin = message.find('\''); begin != std::string_view::npos;) {
    size_t end = message.find('\'', begin + 1);
    if (end == std::string_view::npos)
      break;
    if (hasAny(message.substr(begin + 1, end - begin - 1), names))
      return true;
    begin = message.find('\'', end + 1);
  }
  return false;
}

} // namespace

void dropConsequences(const Recovery &recovery, const std::string &path, const std::string &text,
                      std::vector<Diagnostic> &diagnostics) {
  std::vector<std::string_view> lines = linesOf(text);
  auto lineOf = [&](const Diagnostic &diagnostic) {
    size_t number = static_cast<size_t>(std::max(diagnostic.range.line, 0));
    return diagnostic.range.file == path && number >= 1 && number <= lines.size()
               ? lines[number - 1]
               : std::string_view();
  };
  Names names = recovery.names();
  auto isConsequence = [&](const Diagnostic &diagnostic) {
    if (diagnostic.severity != Severity::Error || recovery.lostUse() ||
        recovery.touched(diagnostic.range.line) || namesAny(diagnostic.message, names))
      return true;
    std::string_view line = lineOf(diagnostic);
    size_t begin = static_cast<size_t>(std::max(diagnostic.range.column - 1, 0));
    size_t end = diagnostic.range.endLine > diagnostic.range.line
                     ? line.size()
                     : static_cast<size_t>(std::max(diagnostic.range.endColumn - 1, 0));
    return begin < line.size() && end > begin && hasAny(line.substr(begin, end - begin), names);
  };
  for (bool more = true; more;) {
    std::vector<Diagnostic> kept;
    for (Diagnostic &diagnostic : diagnostics) {
      if (!isConsequence(diagnostic)) {
        kept.push_back(std::move(diagnostic));
        continue;
      }
      std::string_view line = lineOf(diagnostic);
      if (size_t colons = line.find("::"); colons != std::string_view::npos)
        forEachWord(line.substr(colons), [&](const std::string &word) { names.insert(word); });
    }
    more = kept.size() != diagnostics.size();
    diagnostics = std::move(kept);
  }
}

} // namespace cufc
