// What a name means by Fortran's rules of scope: for names without an occurrence, because they were
// typed after the last analysis or stand in code that it could not understand.
#ifndef CUFLS_IDE_LOOKUP_H
#define CUFLS_IDE_LOOKUP_H

#include "ide/query.h"

namespace cufc {

struct Found {
  std::vector<SymbolRef> symbols; // more than one for a generic name that is a type's too
  int scope = -1;                 // in which the name is declared or made visible by USE
  bool used = false;              // by USE
};

// The innermost scope, from `scope` of a file's analysis outwards, that knows a name.
Found lookUp(const Workspace &workspace, const SourceFile &file, int scope,
             const std::string &name);

// What a rename in a USE statement of the file calls `local`: the module does not export that name,
// but the occurrence in the statement knows which it is.
SymbolRef renamedBy(const SourceFile &file, const UseInfo &use, const std::string &local);

// What users of a module of the project of a file see under a name.
std::vector<SymbolRef> exportedBy(const Workspace &workspace, const SourceFile *from,
                                  const std::string &module, const std::string &name);

// Whether a position is in a statement, not in a comment. Looks at its line alone.
bool isInCode(const SourceFile &file, TextPosition position);

// The occurrences at a position; if there are none, what the word there means.
std::vector<OccurrenceAt> namesAt(const Query &query);

} // namespace cufc
#endif // CUFLS_IDE_LOOKUP_H
