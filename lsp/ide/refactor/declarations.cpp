// See declarations.h.
#include "ide/refactor/declarations.h"
#include "base/source_text.h"
#include <algorithm>

namespace cufc {

bool isDeclarationWord(const std::string &word) {
  static const std::set<std::string> words = {
      "integer",  "real",    "double", "complex", "logical",     "character",       "type",
      "class",    "intent",  "device", "value",   "dimension",   "doubleprecision", "optional",
      "external", "managed", "pinned", "target",  "allocatable", "pointer",         "attributes"};
  return words.contains(word);
}

namespace {

// Where the list of a declaration begins: behind "::", or with the first name that it declares.
size_t listOf(const RoutineText &text, size_t number, const std::vector<NameAt> &names) {
  const std::string &whole = text.pieces[number].text;
  size_t begin = whole.find("::");
  if (begin != std::string::npos)
    return begin + 2;
  int depth = 0;
  for (const NameAt &name : names) {
    depth = 0;
    for (size_t i = 0; i < name.offset; ++i)
      depth += whole[i] == '(' ? 1 : whole[i] == ')' ? -1 : 0;
    if (depth == 0)
      return name.offset;
  }
  return std::string::npos;
}

} // namespace

std::string removeFrom(const RoutineText &text, size_t number, const std::set<int> &symbols,
                       std::vector<TextChange> &edits) {
  const Piece &piece = text.pieces[number];
  std::vector<NameAt> names = text.namesIn(number, number);
  auto isOne = [&](const NameAt &name) { return symbols.contains(name.symbol); };
  if (std::none_of(names.begin(), names.end(), isOne))
    return {};
  if (std::string refusal = text.fixedLines(number, number); !refusal.empty())
    return refusal;
  size_t begin = listOf(text, number, names);
  if (begin == std::string::npos)
    return because(Refusal::StatementKind, piece.word, piece.first);
  std::string kept;
  bool found = false;
  for (const std::string &entity : splitList(std::string_view(piece.text).substr(begin))) {
    std::string word = lowerCase(trimmed(entity.substr(0, entity.find_first_of("(*= "))));
    bool goes = std::any_of(symbols.begin(), symbols.end(),
                            [&](int symbol) { return lowerCase(text.row(symbol).name) == word; });
    found |= goes;
    if (!goes)
      kept += (kept.empty() ? "" : ", ") + entity;
  }
  for (const NameAt &name : names) // in the bounds of another one
    if (isOne(name) && name.role != Role::Declaration && !found)
      return because(Refusal::DummyUsed, text.row(name.symbol).name);
  if (kept.empty())
    edits.push_back({{{piece.first, 1}, {piece.last + 1, 1}}, ""});
  else
    edits.push_back({text.linesOf(number, number),
                     text.indentation(number) + trimmed(piece.text.substr(0, begin)) + " " + kept});
  return {};
}

} // namespace cufc
