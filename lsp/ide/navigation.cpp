// See navigation.h. A separate module procedure has an interface and a body with keys of their own;
// both count as the same.
#include "ide/navigation.h"
#include <algorithm>

namespace cufc {
namespace {

// The keys of a symbol and of what is the same procedure in other words.
std::vector<SymbolRef> equals(const Query &query, SymbolRef symbol) {
  std::vector<SymbolRef> result{symbol};
  if (!symbol.info().intrinsic)
    for (SymbolRef other : query.workspace.sameProcedure(symbol))
      result.push_back(other);
  return result;
}

void collect(const SourceFile &file, const std::string &key, bool withDeclaration,
             std::vector<Reference> &result) {
  for (int number : file.occurrencesOf(key)) {
    const Occurrence &occurrence = file.analysis->occurrences[static_cast<size_t>(number)];
    if (occurrence.role == Role::Declaration && !withDeclaration)
      continue;
    if (std::optional<Location> place = locationOf(file, occurrence.place))
      result.push_back({*place, occurrence.role});
  }
}

void sortAndUnite(std::vector<Reference> &list) {
  std::sort(list.begin(), list.end(), [](const Reference &a, const Reference &b) {
    return std::tie(a.location, a.role) < std::tie(b.location, b.role);
  });
  auto same = [](const Reference &a, const Reference &b) { return a.location == b.location; };
  list.erase(std::unique(list.begin(), list.end(), same), list.end());
}

} // namespace

std::vector<Location> definition(const Query &query) {
  std::vector<Location> result;
  for (const OccurrenceAt &at : occurrencesAt(query)) {
    SymbolRef declared = query.workspace.declarationOf(at.symbol);
    if (!declared)
      continue;
    for (SymbolRef same : equals(query, declared))
      if (same.info().moduleInterface >= 0) // the body of a separate module procedure
        declared = same;
    if (std::optional<Location> place = locationOf(*declared.file, declared.info().declared))
      if (std::find(result.begin(), result.end(), *place) == result.end())
        result.push_back(*place);
  }
  return result;
}

std::vector<Reference> references(const Query &query, bool withDeclaration) {
  std::vector<Reference> result;
  std::optional<OccurrenceAt> at = occurrenceAt(query);
  if (!at)
    return result;
  for (SymbolRef symbol : equals(query, at->symbol))
    for (const SourceFile *file : query.workspace.filesWith(symbol.key()))
      collect(*file, symbol.key(), withDeclaration, result);
  sortAndUnite(result);
  return result;
}

std::vector<Reference> highlights(const Query &query) {
  std::vector<Reference> result;
  if (std::optional<OccurrenceAt> at = occurrenceAt(query))
    for (SymbolRef symbol : equals(query, at->symbol))
      collect(query.file, symbol.key(), true, result);
  sortAndUnite(result);
  return result;
}

} // namespace cufc
