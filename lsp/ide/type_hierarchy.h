// Derived types that extend each other.
#ifndef CUFLS_IDE_TYPE_HIERARCHY_H
#define CUFLS_IDE_TYPE_HIERARCHY_H

#include "ide/call_hierarchy.h"

namespace cufc {

// The type at a position: named there, or that of the variable there.
std::vector<HierarchyItem> prepareTypes(const Query &query);
std::vector<HierarchyItem> supertypes(const Workspace &workspace, const std::string &path,
                                      const std::string &key);
std::vector<HierarchyItem> subtypes(const Workspace &workspace, const std::string &path,
                                    const std::string &key);

} // namespace cufc
#endif // CUFLS_IDE_TYPE_HIERARCHY_H
