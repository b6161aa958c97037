// See left_out_code.h. A line is left out if nothing of flang's text has come from it.
#include "frontend/left_out_code.h"
#include "base/files.h"
#include "base/source_text.h"
#include "frontend/messages.h"
#include <cctype>

namespace cufc {
namespace {

using namespace Fortran;

bool isPart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool isConditional(std::string_view text) {
  if (text.find("!@cuf") != std::string_view::npos)
    return true;
  for (size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
    size_t line = at == 0 ? 0 : text.find_last_not_of(" \t", at - 1);
    size_t word = text.find_first_not_of(" \t", at + 1);
    if ((at == 0 || line == std::string_view::npos || text[line] == '\n') &&
        word != std::string_view::npos && text.compare(word, 2, "if") == 0)
      return true;
  }
  return false;
}

// Words of a line outside of literals and comments, directives apart.
template <typename Visit>
void forEachWord(std::string_view line, const Visit &visit) {
  size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos || line[first] == '#')
    return;
  bool directive = line.size() > first + 1 && line[first] == '!' &&
                   (line[first + 1] == '$' || line[first + 1] == '@');
  char quote = 0;
  for (size_t i = directive ? first + 2 : first; i < line.size(); ++i) {
    char c = line[i];
    if (quote || c == '\'' || c == '"') {
      quote = !quote ? c : c == quote ? char(0) : quote;
    } else if (c == '!') {
      return;
    } else if (isPart(c)) {
      size_t end = i;
      while (end < line.size() && isPart(line[end]))
        ++end;
      size_t before = i == 0 ? std::string_view::npos : line.find_last_not_of(" \t", i - 1);
      if (before == std::string_view::npos || line[before] != '%')
        visit(lowerCase(line.substr(i, end - i)));
      i = end - 1;
    }
  }
}

} // namespace

void LeftOutCode::findLines() {
  looked = true;
  constexpr size_t step = 8; // lines that go on a statement are longer
  parser::CharBlock text = program.parsing->cooked().AsCharBlock();
  bool atBegin = true;
  size_t since = 0;
  for (const char *p = text.begin(); p < text.end(); ++p) {
    bool newline = *p == '\n';
    if (newline || *p == ' ' || (!atBegin && ++since < step)) {
      atBegin |= newline;
      continue;
    }
    atBegin = false;
    since = 0;
    auto range = program.parsing->cooked().GetProvenanceRange(parser::CharBlock(p, 1));
    if (auto position = range ? program.sources.GetSourcePosition(range->start()) : std::nullopt)
      linesRead[userPath(program, *position->path)].insert(position->line);
  }
}

const LeftOutCode::Words &LeftOutCode::wordsOf(const std::string &path) {
  if (auto known = files.find(path); known != files.end())
    return known->second;
  Words &words = files[path];
  std::string text = program.source;
  if ((path != program.path && !readFile(path, text)) || !isConditional(text))
    return words;
  if (!looked)
    findLines();
  const std::set<int> &read = linesRead[path];
  int number = 0;
  for (std::string_view line : linesOf(text))
    if (!read.count(++number))
      forEachWord(line, [&](std::string word) { words.emplace(number, std::move(word)); });
  return words;
}

std::set<std::string> LeftOutCode::wordsIn(const semantics::Scope &scope) {
  std::set<std::string> result;
  parser::CharBlock source = scope.sourceRange();
  auto range = source.empty() ? std::nullopt : program.cooked.GetProvenanceRange(source);
  if (!range)
    return result;
  auto begin = program.sources.GetSourcePosition(range->start());
  auto end = program.sources.GetSourcePosition(range->start() + (range->size() - 1));
  if (!begin || !end || *begin->path != *end->path)
    return result;
  const Words &words = wordsOf(userPath(program, *begin->path));
  for (auto word = words.lower_bound(begin->line); word != words.upper_bound(end->line); ++word)
    result.insert(word->second);
  return result;
}

} // namespace cufc
