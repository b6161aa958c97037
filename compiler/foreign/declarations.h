// Declarations of a gfortran module as Fortran text: types of data, variables, constants, derived
// types, procedures and their interfaces.
#ifndef CUFC_FOREIGN_DECLARATIONS_H
#define CUFC_FOREIGN_DECLARATIONS_H

#include "foreign/calls.h"
#include "foreign/expression_text.h"
#include "foreign/names.h"
#include <optional>

namespace cufc::foreign {

// Each text ends with a line break; nothing stands for what flang has no equal of.
class Declarations {
public:
  Declarations(const Module &module, Names &names);

  std::optional<std::string> variable(const Symbol &symbol, const std::string &name);
  std::optional<std::string> constant(const Symbol &symbol, const std::string &name);
  // The whole of a procedure without its statements. In an interface, names of the module are
  // imported.
  std::optional<std::string> procedure(const Symbol &symbol, const std::string &name,
                                       bool inInterface, int depth = 0);
  // Notes in `restrictions` what of it cannot be used.
  std::optional<std::string> derivedType(const Symbol &symbol, const std::string &name,
                                         Restrictions &restrictions);
  // Of the procedures that components of these types point to from the beginning.
  std::string targetInterfaces() const;

private:
  bool canDeclare(const Symbol &procedure);
  std::optional<std::string> typeText(const TypeSpec &type, bool isDummy);
  std::optional<std::string> arrayText(const ArraySpec &array);
  std::optional<std::string> declaration(const Symbol &symbol, const std::string &name);
  std::optional<std::string> dummies(const Symbol &procedure, int depth);
  std::optional<std::string> dummyProcedure(const Symbol &dummy, int depth);
  std::optional<std::string> component(const Component &component);
  std::optional<std::string> pointsFromBeginning(const Component &component);
  std::optional<std::string> bindings(const Symbol &type);
  std::string heading(const Symbol &symbol, const std::string &name, const Symbol *result,
                      bool isDummy) const;

  const Module &module;
  Names &names;
  const Layout layout;
  NameOf nameOf;
  std::map<int, bool> declared;               // procedures that types bind
  std::set<int> mentioned;                    // dummies in the text that is being made
  std::map<std::string, std::string> targets; // gfortran's name of a procedure to ours
};

} // namespace cufc::foreign
#endif // CUFC_FOREIGN_DECLARATIONS_H
