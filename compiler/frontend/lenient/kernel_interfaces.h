// Interfaces of kernels that are launched without one. Private to frontend/.
#ifndef CUFC_FRONTEND_KERNEL_INTERFACES_H
#define CUFC_FRONTEND_KERNEL_INTERFACES_H

#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/semantics.h"

namespace cufc {

bool isKernelName(const Fortran::semantics::Symbol &symbol);

// The interface that the actual arguments of a launch suggest for a kernel that is defined in
// another file, made in the calling program unit: device arrays and their elements are passed on by
// address, other device data as scalars by address, scalars of the host by value, as nvfortran
// passes them. Null where they do not suggest one, or where a kernel that is known has a similar
// name.
Fortran::semantics::Symbol *suggestedInterface(const Fortran::parser::CallStmt &launch,
                                               const Fortran::parser::Name &kernel,
                                               Fortran::semantics::Scope &unit,
                                               Fortran::semantics::SemanticsContext &context);

} // namespace cufc
#endif // CUFC_FRONTEND_KERNEL_INTERFACES_H
