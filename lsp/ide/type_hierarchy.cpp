// See type_hierarchy.h.
#include "ide/type_hierarchy.h"
#include "ide/lookup.h"
#include "ide/types.h"

namespace cufc {

std::vector<HierarchyItem> prepareTypes(const Query &query) {
  for (const OccurrenceAt &name : namesAt(query))
    if (SymbolRef type = typeOf(query.workspace, name.symbol))
      if (std::optional<HierarchyItem> item = itemOf(type))
        return {*item};
  return {};
}

std::vector<HierarchyItem> supertypes(const Workspace &workspace, const std::string &path,
                                      const std::string &key) {
  SymbolRef parent = parentOf(workspace, symbolOf(workspace, path, key));
  std::optional<HierarchyItem> item = parent ? itemOf(parent) : std::nullopt;
  return item ? std::vector{*item} : std::vector<HierarchyItem>{};
}

std::vector<HierarchyItem> subtypes(const Workspace &workspace, const std::string &path,
                                    const std::string &key) {
  std::vector<HierarchyItem> result;
  for (SymbolRef type : extensionsOf(workspace, symbolOf(workspace, path, key)))
    if (std::optional<HierarchyItem> item = itemOf(type))
      result.push_back(*item);
  return result;
}

} // namespace cufc
