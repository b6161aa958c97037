// flang's symbols and scopes as rows of an Analysis. Private to frontend/.
#ifndef CUFC_FRONTEND_SYMBOL_TABLE_H
#define CUFC_FRONTEND_SYMBOL_TABLE_H

#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "frontend/extract/source_places.h"
#include <unordered_map>

namespace cufc {

class SymbolTable {
public:
  SymbolTable(FlangProgram &program, const SourcePlaces &places, Analysis &analysis);

  // All scopes of the file, and what is declared in them.
  void addScopes();

  // The row of a symbol; those of other files and intrinsic procedures are added when asked for. -1
  // if it is nothing that a user knows.
  int indexOf(const Fortran::semantics::Symbol *symbol);

  // The row of the scope of a program unit, procedure or type; -1 if it has none.
  int scopeOf(const Fortran::semantics::Symbol *symbol) const;

  // The innermost scope around a part of the text.
  const Fortran::semantics::Scope &scopeAt(const char *place) const;
  int scopeIndexAt(const char *place) const;

  // The row of what an ASSOCIATE or SELECT statement names there; -1 if it is no such name.
  int associationAt(Fortran::parser::CharBlock name) const;

  // What a name means there by the rules of scopes, for names that flang has left open.
  const Fortran::semantics::Symbol *find(Fortran::parser::CharBlock name) const;

private:
  void addScope(const Fortran::semantics::Scope &scope, int parent);
  void addSymbols(const Fortran::semantics::Scope &scope, int index);
  int add(const Fortran::semantics::Symbol &symbol);
  void describe(const Fortran::semantics::Symbol &symbol, SymbolInfo &info);
  void nameForeign(const Fortran::semantics::Symbol &original, SymbolInfo &info);
  void describeProcedure(const Fortran::semantics::Symbol &symbol, SymbolInfo &info);
  bool isDeclaredHere(const Fortran::semantics::Symbol &symbol) const;
  bool hasOwnResult(const Fortran::semantics::Symbol &function) const;
  // Where it is declared: flang's symbol of a module has the place of the last USE statement.
  Fortran::parser::CharBlock nameOf(const Fortran::semantics::Symbol &symbol) const;

  FlangProgram &program;
  const SourcePlaces &places;
  Analysis &analysis;
  std::unordered_map<const Fortran::semantics::Symbol *, int> rows;
  std::unordered_map<const Fortran::semantics::Scope *, int> scopeRows;
  std::unordered_map<std::string, int> intrinsics;
  std::unordered_map<const Fortran::semantics::Symbol *, Fortran::parser::CharBlock> moduleNames;
  std::unordered_map<const char *, int> associations; // by their name in the construct's statement
};

} // namespace cufc
#endif // CUFC_FRONTEND_SYMBOL_TABLE_H
