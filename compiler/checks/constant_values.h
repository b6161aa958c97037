// Values of local variables that are set once, to a constant: the sizes of a launch often stand in
// such variables. Private to checks/.
#ifndef CUFC_CHECKS_CONSTANT_VALUES_H
#define CUFC_CHECKS_CONSTANT_VALUES_H

#include "checks/check.h"
#include <array>
#include <map>
#include <optional>

namespace cufc {

// x, y and z of a type(dim3), as far as they are known; an integer is x, the others are 1 then.
using Extents = std::array<std::optional<std::int64_t>, 3>;

class ConstantValues {
public:
  using Expression = Fortran::evaluate::Expr<Fortran::evaluate::SomeType>;

  // Looks for them when the first is asked for. The context must live as long.
  explicit ConstantValues(CheckContext &context) : context(context) {}
  Extents extents(const Expression &expression, int depth = 0) const;
  std::optional<std::int64_t> number(const Expression &expression, int depth = 0) const;

private:
  friend class Definitions;
  struct Variable {
    int definitions = 0;               // of the whole variable
    bool spoiled = false;              // may have been set in a way that is not followed
    const Expression *value = nullptr; // of the last definition
    std::map<std::string, int> partDefinitions;
    std::map<std::string, const Expression *> parts; // components
  };
  const Variable *find(const Fortran::semantics::Symbol &symbol) const;
  Extents ofVariable(const Fortran::semantics::Symbol &symbol, int depth) const;

  CheckContext &context;
  mutable std::optional<std::map<const Fortran::semantics::Symbol *, Variable>> variables;
};

} // namespace cufc
#endif // CUFC_CHECKS_CONSTANT_VALUES_H
