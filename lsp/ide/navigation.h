// Where a symbol is declared and defined, what it is made of, and what implements it.
#ifndef CUFLS_IDE_NAVIGATION_H
#define CUFLS_IDE_NAVIGATION_H

#include "ide/query.h"

namespace cufc {

struct Target {
  Location name;
  TextRange whole; // the declaration or program unit around it
};
struct Targets {
  TextRange origin; // the word that was asked about; begin == end if there is none
  std::vector<Target> list;
};

// The body of a procedure rather than an interface for it; of a call of a generic name the specific
// procedure; of INCLUDE the file.
Targets definition(const Query &query);
// The interface rather than the body.
Targets declaration(const Query &query);
// The derived type of a variable, component or function.
Targets typeDefinition(const Query &query);
// Of a kernel its launches, of a generic name the specifics, of a binding its procedure and those
// that override it, of a type its extensions, of an interface the body.
Targets implementation(const Query &query);

// The place of a symbol's name where it is declared, if that is known.
std::optional<Target> targetOf(SymbolRef symbol);

} // namespace cufc
#endif // CUFLS_IDE_NAVIGATION_H
