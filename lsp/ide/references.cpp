// See references.h. All keys that name the symbol, in all files that can know them.
#include "ide/references.h"
#include "ide/control_flow.h"
#include "ide/lookup.h"
#include "ide/same_symbol.h"
#include <algorithm>
#include <set>

namespace cufc {
namespace {

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

// Of a generic name and the specific procedure that is called at a place, the specific one.
std::optional<OccurrenceAt> nameAt(const Query &query) {
  std::vector<OccurrenceAt> names = namesAt(query);
  for (const OccurrenceAt &name : names)
    if (name.symbol.info().kind != SymbolKind::Generic)
      return name;
  return names.empty() ? std::nullopt : std::optional(names.front());
}

} // namespace

std::vector<Reference> references(const Workspace &workspace, SymbolRef symbol,
                                  bool withDeclaration) {
  std::vector<Reference> result;
  for (const std::string &key : keysOf(workspace, symbol))
    for (const SourceFile *file : workspace.filesWith(key, symbol.file))
      collect(*file, key, withDeclaration, result);
  sortAndUnite(result);
  return result;
}

std::vector<Reference> references(const Query &query, bool withDeclaration) {
  std::optional<OccurrenceAt> name = nameAt(query);
  if (!name)
    return {};
  return references(query.workspace, name->symbol, withDeclaration);
}

std::vector<Reference> highlights(const Query &query) {
  std::vector<Reference> result;
  if (occurrencesAt(query).empty())
    for (const TextRange &keyword : blockKeywords(query.file, query.position))
      result.push_back({{query.file.path, keyword}, Role::Reference});
  if (!result.empty())
    return result;
  if (std::optional<OccurrenceAt> name = nameAt(query))
    for (const std::string &key : keysOf(query.workspace, name->symbol))
      for (const SourceFile *file : std::set{&query.file, name->symbol.file})
        collect(*file, key, true, result);
  // Of what the file includes, only places in the file itself.
  std::erase_if(result, [&](const Reference &r) { return r.location.path != query.file.path; });
  sortAndUnite(result);
  return result;
}

} // namespace cufc
