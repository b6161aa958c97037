// Order: what the symbol is, then all its places, then the checks that need them.
#include "ide/rename.h"
#include "base/source_text.h"
#include "ide/rename_checks.h"
#include "ide/rename_sites.h"

namespace cufc {

std::optional<RenameStart> prepareRename(const Query &query, const TextOf &textOf) {
  Renaming renaming = renamingAt(query, textOf);
  if (!renaming.symbol)
    return std::nullopt;
  std::string warning;
  if (renaming.refusal.empty())
    findSites(renaming);
  if (renaming.refusal.empty())
    checkSymbol(renaming, &warning);
  TextRange range = occurrencesAt(query).front().range;
  return RenameStart{renaming.refusal, range};
}

RenameAnswer rename(const Query &query, const std::string &newName, const TextOf &textOf,
                    const ApiTable &api, bool mayWarn) {
  RenameAnswer answer;
  Renaming renaming = renamingAt(query, textOf);
  if (!renaming.symbol) {
    answer.refusal = "no name stands here";
    return answer;
  }
  renaming.newName = newName;
  checkNewName(renaming);
  if (renaming.refusal.empty())
    findSites(renaming);
  if (renaming.refusal.empty())
    checkSymbol(renaming, mayWarn ? &answer.warning : nullptr);
  if (renaming.refusal.empty())
    checkTexts(renaming);
  if (renaming.refusal.empty() && renaming.lowerNewName() != renaming.oldName)
    checkConflicts(renaming, api);
  answer.refusal = renaming.refusal;
  if (answer.refusal.empty())
    for (const RenameSite &site : renaming.sites)
      answer.edits[site.location.path].push_back(
          {site.location.range, site.newText.empty() ? renaming.newName : site.newText});
  return answer;
}

bool renamesAcrossFiles(const Query &query) {
  for (const OccurrenceAt &name : occurrencesAt(query))
    if (!name.symbol.key().starts_with("file:"))
      return true;
  return false;
}

} // namespace cufc
