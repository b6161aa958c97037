// What a file does with the values of its variables, as far as it can be seen. Private to
// frontend/.
//
// Beside assignments, a variable may get its value where its address is taken, through a dummy
// argument that is not INTENT(IN), in a kernel that it is passed to, or because it shares its
// memory with another one. What procedures of the file do with their dummy arguments is seen.
// Inquiries such as SIZE, MOLD= and ALLOCATE neither need nor give one.
#ifndef CUFC_FRONTEND_VARIABLE_VALUES_H
#define CUFC_FRONTEND_VARIABLE_VALUES_H

#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/symbol.h"
#include <map>
#include <set>

namespace cufc {

class VariableValues {
public:
  explicit VariableValues(const Fortran::parser::Program &program);

  // Whether a variable is named anywhere but in its declaration.
  bool isMentioned(const Fortran::semantics::Symbol &symbol) const {
    return mentioned.count(&symbol.GetUltimate()) > 0;
  }
  bool isRead(const Fortran::semantics::Symbol &symbol) const {
    return read.count(&symbol.GetUltimate()) > 0;
  }
  bool mayBeDefined(const Fortran::semantics::Symbol &symbol) const;
  // Whether anything may give it another value than that of its declaration or of DATA.
  bool isChanged(const Fortran::semantics::Symbol &symbol) const;

private:
  using Symbols = std::set<const Fortran::semantics::Symbol *>;
  void followArguments();

  friend class VariableValuesSink;
  Symbols mentioned, read, defined;
  std::map<const Fortran::semantics::Symbol *, Symbols> passed; // to dummies without INTENT
};

} // namespace cufc
#endif // CUFC_FRONTEND_VARIABLE_VALUES_H
