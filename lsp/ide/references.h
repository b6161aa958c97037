// Everywhere that a symbol is named.
#ifndef CUFLS_IDE_REFERENCES_H
#define CUFLS_IDE_REFERENCES_H

#include "ide/query.h"

namespace cufc {

struct Reference {
  Location location;
  Role role = Role::Reference;
};

// In the workspace, by place. Calls through a generic name count for the specific procedure, a
// binding goes together with what it overrides, a procedure with its interfaces.
std::vector<Reference> references(const Query &query, bool withDeclaration);
std::vector<Reference> references(const Workspace &workspace, SymbolRef symbol,
                                  bool withDeclaration);

// In the file alone; on a keyword of a block all keywords of that block.
std::vector<Reference> highlights(const Query &query);

} // namespace cufc
#endif // CUFLS_IDE_REFERENCES_H
