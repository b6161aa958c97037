// See macros.h.
#include "ide/macros.h"
#include "base/files.h"
#include <algorithm>

namespace cufc {
namespace {

// The place of the name in "#define NAME", case counting; empty if the line is none.
std::optional<TextRange> definedName(const Document &document, int number, std::string_view name) {
  std::string_view line = document.line(number);
  size_t at = line.find_first_not_of(" \t");
  if (at == std::string_view::npos || line[at] != '#')
    return std::nullopt;
  at = line.find_first_not_of(" \t", at + 1);
  constexpr std::string_view keyword = "define";
  if (at == std::string_view::npos || !line.substr(at).starts_with(keyword))
    return std::nullopt;
  size_t begin = line.find_first_not_of(" \t", at + keyword.size());
  if (begin == std::string_view::npos || begin == at + keyword.size())
    return std::nullopt;
  TextRange word = wordAt(document, {number, static_cast<int>(begin) + 1});
  return document.slice(word) == name ? std::optional(word) : std::nullopt;
}

struct Macro {
  Location place;
  std::string text;
};

std::string textAt(const Document &document, int line) {
  constexpr int mostLines = 12;
  std::string text(document.line(line));
  for (int next = line + 1; text.ends_with('\\') && next < line + mostLines; ++next)
    text += "\n" + std::string(document.line(next));
  return text;
}

std::optional<Macro> find(const Document &document, const std::string &path, std::string_view name,
                          int before) {
  for (int line = std::min(before, document.lineCount()); line > 0; --line)
    if (std::optional<TextRange> range = definedName(document, line, name))
      return Macro{{path, *range}, textAt(document, line)};
  return std::nullopt;
}

std::optional<Macro> macro(const Query &query) {
  TextRange word = wordAt(query.document(), query.position);
  if (!query.file.reading.preprocess || word.begin == word.end)
    return std::nullopt;
  std::string name(query.document().slice(word));
  if (auto found = find(query.document(), query.file.path, name, word.begin.line))
    return found;
  for (size_t i = 1; query.file.analysis && i < query.file.analysis->files.size(); ++i) {
    const std::string &path = query.file.analysis->files[i];
    std::string text;
    if (const SourceFile *open = query.workspace.find(path); open && open->open)
      text = open->document.text();
    else if (!readFile(path, text))
      continue;
    Document included(text);
    if (auto found = find(included, path, name, included.lineCount()))
      return found;
  }
  return std::nullopt;
}

} // namespace

std::optional<Location> macroAt(const Query &query) {
  std::optional<Macro> found = macro(query);
  return found ? std::optional(found->place) : std::nullopt;
}

std::string macroText(const Query &query) {
  std::optional<Macro> found = macro(query);
  return found ? found->text : "";
}

} // namespace cufc
