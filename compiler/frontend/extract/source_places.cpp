// See source_places.h.
#include "frontend/extract/source_places.h"
#include "frontend/edits.h"
#include "frontend/messages.h"
#include <algorithm>
#include <cctype>

namespace cufc {
namespace {

using namespace Fortran;

bool sameLetters(const char *a, const char *b, size_t size) {
  return std::equal(a, a + size, b, [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

bool isNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The text of a macro's call, from its name to the parenthesis that closes its arguments or to the
// end of the line.
std::string_view callText(std::string_view text) {
  size_t at = 0;
  while (at < text.size() && isNameCharacter(text[at]))
    ++at;
  size_t open = text.find_first_not_of(" \t", at);
  if (open == std::string_view::npos || text[open] != '(')
    return text.substr(0, at);
  int depth = 0;
  for (at = open; at < text.size() && text[at] != '\n'; ++at) {
    depth += (text[at] == '(') - (text[at] == ')');
    if (depth == 0)
      return text.substr(0, at + 1);
  }
  return text.substr(0, at);
}

// Where a word stands alone in a text, from a place on.
size_t findWord(std::string_view text, std::string_view word, size_t from) {
  for (size_t at = from; at + word.size() <= text.size(); ++at)
    if (sameLetters(text.data() + at, word.data(), word.size()) &&
        (at == 0 || !isNameCharacter(text[at - 1])) &&
        (at + word.size() == text.size() || !isNameCharacter(text[at + word.size()])))
      return at;
  return std::string_view::npos;
}

} // namespace

SourcePlaces::SourcePlaces(const FlangProgram &program, const std::string &path,
                           std::vector<std::string> &files)
    : program(program), cooked(program.parsing->cooked().AsCharBlock()), files(files) {
  files = {path};
  lines.push_back(0);
  for (size_t end = program.source.find('\n'); end != std::string::npos;
       end = program.source.find('\n', end + 1))
    lines.push_back(end + 1);
  for (const Insertion &insertion : program.rewrite.insertions)
    editedLines.insert(insertion.line);
}

bool SourcePlaces::isOurs(parser::CharBlock text) const {
  return !text.empty() && text.begin() >= cooked.begin() && text.end() <= cooked.end();
}

int SourcePlaces::fileIndex(const std::string &path) const {
  auto [found, added] = fileIndices.try_emplace(&path, 0);
  if (added) {
    auto known = std::find(files.begin(), files.end(), path);
    found->second = static_cast<int>(known - files.begin());
    if (known == files.end())
      files.push_back(path);
  }
  return found->second;
}

SourcePlaces::Point SourcePlaces::point(parser::Provenance provenance) const {
  Point result;
  auto position = program.sources.GetSourcePosition(provenance);
  if (!position)
    return {};
  result.file = fileIndex(userPath(program, *position->path));
  result.line = position->line;
  result.column = position->column;
  if (result.file == 0 && editedLines.count(result.line))
    result.column = originalColumn(program, *position->path, result.line, result.column);
  return result;
}

Place SourcePlaces::of(parser::CharBlock first, parser::CharBlock last) const {
  if (!isOurs(first) || !isOurs(last))
    return {};
  const parser::CookedSource &prepared = program.parsing->cooked();
  auto begin = prepared.GetProvenanceRange(parser::CharBlock(first.begin(), 1));
  auto end = prepared.GetProvenanceRange(parser::CharBlock(last.end() - 1, 1));
  if (!begin || !end)
    return {};
  Point from = point(begin->start()), to = point(end->start());
  if (from.file < 0 || from.file != to.file || to.line < from.line)
    to = from; // partly a macro or an include: its beginning stands for it
  return {from.file, from.line, from.column, to.line, to.column + 1};
}

// flang gives what a macro wrote the place of its call. A name that stands among the arguments is
// taken for that; if it stands there several times, the first that the macro wrote for the first.
Place SourcePlaces::inMacroCall(parser::Provenance name, parser::CharBlock text) const {
  parser::Provenance call = name;
  for (parser::Provenance next = program.sources.GetReplacedProvenance(call); next != call;
       next = program.sources.GetReplacedProvenance(call))
    call = next;
  size_t offset = 0;
  const parser::SourceFile *source =
      call == name ? nullptr : program.sources.GetSourceFile(call, &offset);
  Point begin = source ? point(call) : Point{};
  if (begin.file < 0)
    return {};
  std::string_view written =
      callText(std::string_view(source->content().data(), source->content().size()).substr(offset));
  std::string_view word(text.begin(), text.size());
  std::string before;
  parser::Provenance direct = program.sources.GetReplacedProvenance(name);
  for (size_t back = 1; back <= name.offset(); ++back) {
    parser::Provenance other(name.offset() - back);
    if (!program.sources.IsValid(other) || program.sources.GetReplacedProvenance(other) != direct)
      break;
    before.insert(before.begin(), program.sources[other]);
  }
  size_t found =
      findWord(written, word,
               written.find('(') == std::string_view::npos ? written.size() : written.find('('));
  for (size_t at = findWord(before, word, 0); at != std::string_view::npos;
       at = findWord(before, word, at + 1))
    if (size_t next = findWord(written, word, found + 1); next != std::string_view::npos)
      found = next;
  if (found == std::string_view::npos)
    return {};
  auto size = static_cast<int>(text.size());
  int column = begin.column + static_cast<int>(found);
  return {begin.file, begin.line, column, begin.line, column + size};
}

Place SourcePlaces::ofName(parser::CharBlock name) const {
  if (!isOurs(name))
    return {};
  auto range = program.parsing->cooked().GetProvenanceRange(name);
  if (!range || range->size() != name.size())
    return {};
  if (program.sources.GetReplacedProvenance(range->start()) != range->start())
    return inMacroCall(range->start(), name);
  Point from = point(range->start());
  if (from.file < 0)
    return {};
  int length = static_cast<int>(name.size());
  Place result{from.file, from.line, from.column, from.line, from.column + length};
  if (from.file == 0) {
    std::string_view there = text(result);
    if (there.size() != name.size() || !sameLetters(there.data(), name.begin(), name.size()))
      return {};
  } else {
    size_t offset = 0;
    const parser::SourceFile *source = program.sources.GetSourceFile(range->start(), &offset);
    if (!source || offset + name.size() > source->content().size() ||
        !sameLetters(source->content().data() + offset, name.begin(), name.size()))
      return {};
  }
  return result;
}

std::string_view SourcePlaces::line(int number) const {
  if (number < 1 || static_cast<size_t>(number) > lines.size())
    return {};
  size_t begin = lines[static_cast<size_t>(number) - 1];
  size_t end = std::min(program.source.find('\n', begin), program.source.size());
  std::string_view result(program.source.data() + begin, end - begin);
  if (!result.empty() && result.back() == '\r')
    result.remove_suffix(1);
  return result;
}

std::string_view SourcePlaces::text(const Place &place) const {
  if (place.file != 0 || place.line != place.endLine || place.column < 1 ||
      place.endColumn < place.column)
    return {};
  std::string_view whole = line(place.line);
  size_t begin = std::min(static_cast<size_t>(place.column) - 1, whole.size());
  return whole.substr(begin, static_cast<size_t>(place.endColumn - place.column));
}

std::string SourcePlaces::joinedText(const Place &place) const {
  if (place.file != 0)
    return {};
  std::string result;
  for (int number = place.line; number <= place.endLine; ++number) {
    std::string_view part = line(number);
    if (number == place.endLine)
      part = part.substr(0, static_cast<size_t>(std::max(place.endColumn - 1, 0)));
    if (number == place.line)
      part.remove_prefix(std::min(part.size(), static_cast<size_t>(std::max(place.column - 1, 0))));
    for (char c : part)
      if (c == '&' || std::isspace(static_cast<unsigned char>(c)))
        result += result.empty() || result.back() == ' ' ? "" : " ";
      else
        result += c;
    if (!result.empty() && result.back() != ' ' && number != place.endLine)
      result += ' ';
  }
  return result;
}

} // namespace cufc
