// What a renaming changes: the symbol under its keys, and each place where the old name stands.
#ifndef CUFLS_IDE_RENAME_SITES_H
#define CUFLS_IDE_RENAME_SITES_H

#include "ide/rename.h"
#include <set>

namespace cufc {

struct RenameSite {
  const SourceFile *file; // whose analysis knows it
  int occurrence;         // of the analysis; -1 in directives
  Location location;
  std::string newText; // if it is not the new name alone
};

struct Renaming {
  const Workspace &workspace;
  const TextOf &textOf;
  SymbolRef symbol;    // where it is declared
  std::string oldName; // lower case
  std::string newName;
  bool alias = false;               // the local name of a renaming USE
  const SourceFile *only = nullptr; // the file outside of which nothing can be meant
  std::set<std::string> keys;
  std::vector<RenameSite> sites;
  std::string refusal; // the first reason found

  void refuse(const std::string &reason) {
    if (refusal.empty())
      refusal = reason;
  }
  std::string lowerNewName() const;
  const SymbolInfo &symbolOf(const RenameSite &site) const;
};

// The symbol at a position. `symbol` is empty if there is none, `refusal` says why it has no
// declaration that could be renamed.
Renaming renamingAt(const Query &query, const TextOf &textOf);
// Fills `sites`.
void findSites(Renaming &renaming);

// rename_passed.cpp: adds the names in PASS(name).
void findPassedNames(Renaming &renaming);

// ".cross."
bool isDefinedOperator(const std::string &name);
// "+" and ".and.", and what is no name at all: "operator(+)".
bool isIntrinsicOperator(const std::string &text);
// "x.cuf:12"
std::string placeText(const Location &location);
// The innermost scope of an analysis around one of its places.
int scopeAround(const Analysis &analysis, const Place &place);

} // namespace cufc
#endif // CUFLS_IDE_RENAME_SITES_H
