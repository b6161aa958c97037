// See edit_map.h.
#include "index/edit_map.h"
#include <algorithm>
#include <limits>

namespace cufc {
namespace {

// A position at or behind `from` after what stood before `from` now ends at `to`.
TextPosition moved(TextPosition p, TextPosition from, TextPosition to) {
  if (p.line == from.line)
    return {to.line, p.column - from.column + to.column};
  return {p.line - from.line + to.line, p.column};
}

TextPosition endOf(TextPosition begin, const std::string &text) {
  TextPosition end = begin;
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')))
      end = {end.line + 1, 1};
    else if (text[i] != '\r')
      ++end.column;
  return end;
}

} // namespace

// Typing adds to what was inserted last; then one edit says both.
void EditMap::add(const TextChange &change) {
  TextPosition insertedEnd = endOf(change.range.begin, change.text);
  if (!edits.empty() && change.range.begin == edits.back().insertedEnd &&
      change.range.begin == change.range.end)
    edits.back().insertedEnd = insertedEnd;
  else
    edits.push_back({change.range, insertedEnd});
}

std::optional<TextRange> EditMap::now(const TextRange &before) const {
  TextRange range = before;
  for (const Edit &edit : edits) {
    const TextRange &gone = edit.removed;
    if (range.end <= gone.begin)
      continue;
    if (range.begin >= gone.end) {
      range.begin = moved(range.begin, gone.end, edit.insertedEnd);
      range.end = moved(range.end, gone.end, edit.insertedEnd);
    } else if (range.begin <= gone.begin && gone.end <= range.end) {
      range.end = moved(range.end, gone.end, edit.insertedEnd);
    } else {
      return std::nullopt;
    }
  }
  return range;
}

TextPosition EditMap::Piece::moved(TextPosition position) const {
  return cufc::moved(position, before.begin, now);
}

// Each edit cuts what it removes out of the pieces so far and moves those behind it.
std::vector<EditMap::Piece> EditMap::pieces() const {
  constexpr TextPosition textEnd{std::numeric_limits<int>::max() / 2, 1};
  std::vector<Piece> list{{{{1, 1}, textEnd}, {1, 1}}}, next;
  for (const Edit &edit : edits) {
    const TextRange &gone = edit.removed;
    next.clear();
    for (const Piece &piece : list) {
      TextPosition begin = piece.now, end = piece.moved(piece.before.end);
      // Positions of the piece as it is now, led back to the older text.
      auto back = [&](TextPosition p) { return cufc::moved(p, begin, piece.before.begin); };
      if (begin < gone.begin)
        next.push_back({{piece.before.begin, back(std::min(end, gone.begin))}, begin});
      if (end > gone.end) {
        TextPosition from = std::max(begin, gone.end);
        next.push_back(
            {{back(from), piece.before.end}, cufc::moved(from, gone.end, edit.insertedEnd)});
      }
    }
    list.swap(next);
  }
  return list;
}

TextPosition EditMap::before(TextPosition p) const {
  for (size_t i = edits.size(); i-- > 0;) {
    const Edit &edit = edits[i];
    if (p >= edit.insertedEnd)
      p = moved(p, edit.insertedEnd, edit.removed.end);
    else if (p > edit.removed.begin)
      p = std::min(p, edit.removed.end);
  }
  return p;
}

} // namespace cufc
