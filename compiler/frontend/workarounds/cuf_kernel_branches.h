// Branches in the bodies of CUF kernels. Private to frontend/.
//
// flang forbids CYCLE, EXIT and GO TO there altogether; this project only forbids those that leave
// an iteration other than by ending it.
#ifndef CUFC_FRONTEND_CUF_KERNEL_BRANCHES_H
#define CUFC_FRONTEND_CUF_KERNEL_BRANCHES_H

#include "base/diagnostics.h"
#include "frontend/flang_program.h"
#include <string_view>

namespace cufc {

// Drops flang's errors and adds a message for each branch that is wrong. Returns whether there were
// any errors.
bool checkCufKernelBranches(FlangProgram &program);

// The diagnostic for one of those messages, if `message` is one.
std::optional<DiagnosticId<>> cufKernelBranch(std::string_view message);

} // namespace cufc
#endif // CUFC_FRONTEND_CUF_KERNEL_BRANCHES_H
