// See query.h. Occurrences are sorted by place, so the one at a position is found by halving.
#include "ide/query.h"
#include "base/source_text.h"
#include <algorithm>

namespace cufc {
namespace {

bool isNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

// The places of an analysis are sorted by file and begin.
bool beginsAfter(TextPosition p, const Occurrence &occurrence) {
  const Place &place = occurrence.place;
  return place.file > 0 || TextPosition{place.line, place.column} > p;
}

// Those of an included file as the files that include it know them. They have read it from disk, so
// a place holds only where the name still stands.
std::vector<OccurrenceAt> includedAt(const Query &query) {
  std::vector<OccurrenceAt> result;
  for (const auto &[path, file] : query.workspace.files()) {
    if (!file->analysis || file->analysis->files.size() < 2 || path == query.file.path)
      continue;
    const Analysis &analysis = *file->analysis;
    auto included = std::find(analysis.files.begin() + 1, analysis.files.end(), query.file.path);
    if (included == analysis.files.end())
      continue;
    for (const Occurrence &occurrence : analysis.occurrences) {
      TextRange range = rangeOf(occurrence.place);
      if (occurrence.place.file != included - analysis.files.begin() || occurrence.symbol < 0 ||
          !range.touches(query.position))
        continue;
      SymbolRef symbol{file.get(), occurrence.symbol};
      if (lowerCase(query.document().slice(range)) == lowerCase(symbol.info().name))
        result.push_back({symbol, occurrence.role, range});
    }
  }
  return result;
}

} // namespace

TextRange wordAt(const Document &document, TextPosition position) {
  std::string_view line = document.line(position.line);
  auto at = std::min(static_cast<size_t>(std::max(1, position.column) - 1), line.size());
  size_t begin = at, end = at;
  while (begin > 0 && isNameCharacter(line[begin - 1]))
    --begin;
  while (end < line.size() && isNameCharacter(line[end]))
    ++end;
  return {{position.line, static_cast<int>(begin) + 1}, {position.line, static_cast<int>(end) + 1}};
}

std::vector<OccurrenceAt> occurrencesAt(const Query &query) {
  std::vector<OccurrenceAt> result = includedAt(query);
  if (!query.file.analysis || !result.empty())
    return result;
  const std::vector<Occurrence> &all = query.file.analysis->occurrences;
  TextPosition before = query.file.edits.before(query.position);
  auto next = std::upper_bound(all.begin(), all.end(), before, beginsAfter);
  while (next != all.begin()) {
    --next;
    if (next->place.line < before.line && next->place.endLine < before.line)
      break;
    std::optional<TextRange> now = query.file.now(next->place);
    if (next->symbol >= 0 && now && now->touches(query.position) && now->begin != now->end)
      result.insert(result.begin(), {{&query.file, next->symbol}, next->role, *now});
  }
  // Of two names that touch, such as "a" and "b" of "a%b", the one that holds the cursor.
  bool inside = std::any_of(result.begin(), result.end(), [&](const OccurrenceAt &o) {
    return o.range.contains(query.position);
  });
  if (inside)
    std::erase_if(result, [&](const OccurrenceAt &o) { return !o.range.contains(query.position); });
  return result;
}

std::optional<OccurrenceAt> occurrenceAt(const Query &query) {
  std::vector<OccurrenceAt> all = occurrencesAt(query);
  for (const OccurrenceAt &occurrence : all)
    if (occurrence.symbol.info().kind != SymbolKind::Generic)
      return occurrence;
  return all.empty() ? std::nullopt : std::optional(all.front());
}

int scopeAt(const Query &query) {
  if (!query.file.analysis)
    return -1;
  const std::vector<ScopeInfo> &scopes = query.file.analysis->scopes;
  int best = scopes.empty() ? -1 : 0;
  for (size_t i = 1; i < scopes.size(); ++i) { // children come behind their parents
    if (std::optional<TextRange> now = query.file.now(scopes[i].place);
        now && now->touches(query.position))
      best = static_cast<int>(i);
  }
  return best;
}

std::optional<Location> locationOf(const SourceFile &file, const Place &place) {
  if (!file.analysis || place.file < 0 ||
      place.file >= static_cast<int>(file.analysis->files.size()))
    return std::nullopt;
  if (place.file > 0)
    return Location{file.analysis->files[static_cast<size_t>(place.file)], rangeOf(place)};
  std::optional<TextRange> range = file.now(place);
  if (!range)
    return std::nullopt;
  return Location{file.path, *range};
}

} // namespace cufc
