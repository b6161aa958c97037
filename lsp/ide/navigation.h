// From a symbol to where it is declared and used.
#ifndef CUFLS_IDE_NAVIGATION_H
#define CUFLS_IDE_NAVIGATION_H

#include "ide/query.h"

namespace cufc {

// Where the symbol is defined: a procedure's body rather than an interface for it.
std::vector<Location> definition(const Query &query);

struct Reference {
  Location location;
  Role role;
};
// Everywhere in the workspace, by place.
std::vector<Reference> references(const Query &query, bool withDeclaration);
// In the file alone.
std::vector<Reference> highlights(const Query &query);

} // namespace cufc
#endif // CUFLS_IDE_NAVIGATION_H
