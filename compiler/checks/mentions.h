// Which names a file uses, and what it declares in procedures and makes visible by USE. Private to
// checks/. A mention is any occurrence of a name but its declaration: attribute statements, dummy
// lists and END statements are none.
#ifndef CUFC_CHECKS_MENTIONS_H
#define CUFC_CHECKS_MENTIONS_H

#include "checks/check.h"
#include <set>

namespace cufc {

struct DeclaredEntity {
  const Fortran::parser::Name *name;
  Fortran::parser::CharBlock statement;
  size_t position, count; // of its statement's entities
};

struct UsedModule {
  const Fortran::parser::UseStmt *use;
  Fortran::parser::CharBlock statement;
  const Fortran::semantics::Scope *scope;
};

class Mentions {
public:
  explicit Mentions(CheckContext &context);
  bool has(const Fortran::semantics::Symbol &symbol) const { return symbols.count(&symbol) > 0; }
  // Whether a procedure is more than called: passed, pointed to, bound to a type, or a generic's.
  bool isReferred(const Fortran::semantics::Symbol &procedure) const {
    return referred.count(&procedure) > 0;
  }

  std::vector<DeclaredEntity> entities; // of type declaration statements
  std::vector<UsedModule> uses;

private:
  friend class MentionVisitor;
  std::set<const Fortran::semantics::Symbol *> symbols, referred;
};

} // namespace cufc
#endif // CUFC_CHECKS_MENTIONS_H
