// Includes are followed only while errors are in files that have not been met.
#include "ide/included_files.h"
#include "ide/keywords.h"
#include "source/line_markers.h"
#include <algorithm>
#include <filesystem>
#include <set>

namespace cufc {
namespace {

std::vector<Include> includesOf(const Document &document, const std::string &path,
                                const SourceReading &reading, const ReadText &read) {
  std::vector<Include> found;
  Lexemes lexemes = lexemesOf(document, reading);
  for (const StatementSpan &span : lexemes.statements)
    if (auto include = includeOf(span, lexemes, path, reading, read))
      found.push_back(std::move(*include));
  return found;
}

// Ways to one file that differ, through `..` and links, become one.
std::string placeOf(const std::string &path) {
  std::error_code error;
  std::filesystem::path place = std::filesystem::weakly_canonical(path, error);
  return error ? path : place.string();
}

// A file and all that it includes, but for those that are in `files` already.
void addIncluded(const std::string &path, const SourceReading &reading, const ReadText &read,
                 std::set<std::string> &files) {
  if (!files.insert(placeOf(path)).second)
    return;
  std::optional<std::string> text = read(path);
  if (!text)
    return;
  Document document(std::move(*text));
  for (const Include &include : includesOf(document, path, reading, read))
    addIncluded(include.file, reading, read, files);
}

Diagnostic errorAt(const Include &include, const Diagnostic &error, const std::string &path) {
  Diagnostic shown = error;
  shown.message = "in the included file: " + error.message;
  shown.range = {path, include.range.begin.line, include.range.begin.column, include.range.end.line,
                 include.range.end.column};
  Diagnostic place = error;
  place.severity = Severity::Note;
  place.range.file = std::filesystem::path(error.range.file).lexically_normal();
  place.code.clear();
  place.related.clear();
  place.fixes.clear();
  shown.related.insert(shown.related.begin(), std::move(place));
  shown.fixes.clear();
  return shown;
}

} // namespace

std::optional<Include> includeOf(const StatementSpan &statement, const Lexemes &lexemes,
                                 const std::string &path, const SourceReading &reading,
                                 const ReadText &read) {
  const Lexeme &first = lexemes.all[statement.first];
  const std::string word = lexemes.wordOf(first);
  bool includes = statement.kind == StatementSpan::Preprocessor
                      ? word.ends_with("include")
                      : first.kind == LexemeKind::Keyword && word == "include";
  if (!includes || statement.end <= statement.first + 1)
    return std::nullopt;
  const Lexeme &name = lexemes.all[statement.first + 1];
  std::string_view text = lexemes.textOf(name);
  if (name.kind != LexemeKind::String || text.size() < 3)
    return std::nullopt;
  const std::string_view written = text.substr(1, text.size() - 2);
  Include found{name.range(),
                statement.kind == StatementSpan::Preprocessor
                    ? std::string(written)
                    : nameInLiteral(written, text.front()),
                {}};
  ++found.range.begin.column;
  --found.range.end.column;
  found.file = includedFile(found.name, path, reading, read);
  return found.file.empty() ? std::nullopt : std::optional(std::move(found));
}

void showAtIncludes(std::vector<Diagnostic> &list, const Document &document,
                    const std::string &path, const SourceReading &reading, const ReadText &read) {
  auto isElsewhere = [&](const Diagnostic &d) {
    return d.severity == Severity::Error && !d.range.file.empty() && d.range.file != path;
  };
  if (std::none_of(list.begin(), list.end(), isElsewhere))
    return;
  std::vector<Diagnostic> shown;
  for (const Include &include : includesOf(document, path, reading, read)) {
    std::set<std::string> files;
    addIncluded(include.file, reading, read, files);
    auto error = std::find_if(list.begin(), list.end(), [&](const Diagnostic &d) {
      return isElsewhere(d) && files.contains(placeOf(d.range.file));
    });
    if (error != list.end())
      shown.push_back(errorAt(include, *error, path));
  }
  std::move(shown.begin(), shown.end(), std::back_inserter(list));
}

} // namespace cufc
