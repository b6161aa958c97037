// How the model is made from flang's tree: variables, expressions and statements, a file each.
// Private to checks/hazards/; the only header there with flang's types. Whatever semantic analysis
// left out (symbols, types) gives nodes that say so, never a failure.
#ifndef CUFC_CHECKS_HAZARDS_BUILDER_H
#define CUFC_CHECKS_HAZARDS_BUILDER_H

#include "checks/hazards/model.h"
#include "flang/Evaluate/tools.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Parser/tools.h"
#include "flang/Semantics/expression.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"

namespace cufc::hazards {

inline Place placeOf(Fortran::parser::CharBlock block) { return {block.begin(), block.size()}; }

// Symbols to variables of the model.
class Variables {
public:
  explicit Variables(Model &model) : model(model) {}
  // Null if the symbol is no data object.
  const Variable *of(const Fortran::semantics::Symbol *symbol);
  // The bounds of an array as they are written.
  void addBounds(const Fortran::parser::Name &name, const Fortran::parser::ArraySpec &spec);

private:
  Variable *find(const Fortran::semantics::Symbol *symbol);
  Model &model;
};

class Expressions {
public:
  Expressions(Fortran::semantics::SemanticsContext &context, Variables &variables)
      : context(context), variables(variables) {}
  Expression of(const Fortran::parser::Expr &expression);
  Expression of(const Fortran::parser::Variable &variable);
  Expression of(const Fortran::parser::DataRef &reference);
  Expression of(const Fortran::parser::Name &name);
  Expression of(const Fortran::parser::StructureComponent &component);
  // Through the wrappers of flang's grammar.
  template <typename T>
  Expression within(const T &wrapper) {
    const auto *expression = Fortran::parser::Unwrap<Fortran::parser::Expr>(wrapper);
    return expression ? of(*expression) : Expression{};
  }
  // The name, module, arguments and keywords of a call.
  void addCall(const Fortran::parser::Call &call, std::string &name, std::string &module,
               std::vector<Expression> &arguments, std::vector<std::string> &keywords);

private:
  Expression of(const Fortran::parser::Designator &designator);
  Expression of(const Fortran::parser::FunctionReference &reference);
  Expression of(const Fortran::parser::ArrayElement &element);
  Expression structure(const Fortran::parser::StructureConstructor &constructor);
  void addSubscripts(const std::list<Fortran::parser::SectionSubscript> &subscripts,
                     Expression &result);
  template <typename T>
  bool operation(const T &node, Expression &result);
  void addType(const Fortran::evaluate::Expr<Fortran::evaluate::SomeType> *typed,
               Expression &result);

  Fortran::semantics::SemanticsContext &context;
  Variables &variables;
};

} // namespace cufc::hazards
#endif // CUFC_CHECKS_HAZARDS_BUILDER_H
