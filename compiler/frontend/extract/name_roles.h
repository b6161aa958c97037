// What every name of a parse tree does at its place. Private to frontend/.
#ifndef CUFC_FRONTEND_NAME_ROLES_H
#define CUFC_FRONTEND_NAME_ROLES_H

#include "analysis/analysis.h"
#include "flang/Parser/parse-tree.h"

namespace cufc {

// What of a variable is meant.
enum class NamePurpose {
  Value,
  Allocation,   // object of ALLOCATE and DEALLOCATE
  InitialValue, // in DATA
  Address,      // argument of c_loc and the like, or of a dummy that is a TARGET or TYPE(*)
};

class NameSink {
public:
  virtual ~NameSink() = default;

  virtual void name(const Fortran::parser::Name &name, Role role, NamePurpose purpose) = 0;

  // The keyword of an actual argument or component; the symbol is null if nothing has that name.
  virtual void keyword(Fortran::parser::CharBlock, const Fortran::semantics::Symbol *) {}

  // The name of a type where it is used as one; a generic name may be the same.
  virtual void typeName(const Fortran::parser::Name &name, Role role) {
    this->name(name, role, NamePurpose::Value);
  }
  // Around the variables of an actual argument: what it is for, null where that is not known.
  virtual void enterArgument(const Fortran::semantics::Symbol *) {}
  virtual void leaveArgument() {}
  // OPERATOR(+), ASSIGNMENT(=) and the like where they are declared or made visible.
  virtual void genericSpec(Fortran::parser::CharBlock) {}
  // An operator between or before operands.
  virtual void operation(const Fortran::parser::Expr &, Fortran::parser::CharBlock) {}

  // Statements that begin and end program units, procedures and derived types. END statements
  // repeat a name that flang leaves without a symbol.
  virtual void enterUnit(const Fortran::parser::Name &) {}
  virtual void leaveUnit(const std::optional<Fortran::parser::Name> &) {}
};

void forEachName(const Fortran::parser::Program &program, NameSink &sink);

} // namespace cufc
#endif // CUFC_FRONTEND_NAME_ROLES_H
