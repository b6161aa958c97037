// Who calls a procedure and whom it calls, on the host and on the device: launches of kernels are
// calls, generic names stand for the specific procedure, bindings for all that they may run.
#ifndef CUFLS_IDE_CALL_HIERARCHY_H
#define CUFLS_IDE_CALL_HIERARCHY_H

#include "ide/navigation.h"

namespace cufc {

// A procedure, program unit or type in a tree. The path and the key find it again.
struct HierarchyItem {
  std::string path, key;
  std::string name, detail;
  SymbolKind kind = SymbolKind::Subroutine;
  Target target;
};

struct HierarchyCall {
  HierarchyItem item;
  std::vector<TextRange> places; // in the file of the caller
};

std::vector<HierarchyItem> prepareCalls(const Query &query);
std::vector<HierarchyCall> incomingCalls(const Workspace &workspace, const std::string &path,
                                         const std::string &key);
std::vector<HierarchyCall> outgoingCalls(const Workspace &workspace, const std::string &path,
                                         const std::string &key);

// Nothing if the symbol has no place.
std::optional<HierarchyItem> itemOf(SymbolRef symbol);
SymbolRef symbolOf(const Workspace &workspace, const std::string &path, const std::string &key);

} // namespace cufc
#endif // CUFLS_IDE_CALL_HIERARCHY_H
