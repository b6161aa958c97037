// Variables whose initial values nobody reads. Private to frontend/ and checks/.
#ifndef CUFC_FRONTEND_REPLACED_VALUES_H
#define CUFC_FRONTEND_REPLACED_VALUES_H

#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"
#include <set>

namespace cufc {

// The variables that the assignments at the beginning of a program unit, or of a BLOCK, set as a
// whole before anything reads them.
class ReplacedValues {
public:
  ReplacedValues(const Fortran::parser::Program &program,
                 const Fortran::semantics::SemanticsContext &context);

  bool has(const Fortran::semantics::Symbol &variable) const {
    return variables.count(&variable.GetUltimate()) > 0;
  }

private:
  std::set<const Fortran::semantics::Symbol *> variables;
};

} // namespace cufc
#endif // CUFC_FRONTEND_REPLACED_VALUES_H
