// How procedures of a gfortran module are called (gfortran's manual, "Argument passing
// conventions").
#ifndef CUFC_FOREIGN_PLAN_CALLS_H
#define CUFC_FOREIGN_PLAN_CALLS_H

#include "foreign/calls.h"
#include "foreign/names.h"

namespace cufc::foreign {

// The symbol that flang's code refers to.
std::string flangSymbol(const Names &names, const Symbol &procedure);

Call planCall(const Module &module, const Names &names, const Symbol &procedure);

// What a descriptor of a variable that is allocatable or a pointer says, or why flang cannot use
// it.
struct VariablePlan {
  Passed facts;
  std::string refused;
};
VariablePlan planVariable(const Module &module, const Names &names, const Symbol &variable);

// Empty, or why flang has no equal of a variable or component of this type.
std::string missingType(const Module &module, const TypeSpec &type);

// The symbol of a module's variable or procedure in gfortran's object files.
std::string gfortranSymbol(const Symbol &symbol);

} // namespace cufc::foreign
#endif // CUFC_FOREIGN_PLAN_CALLS_H
