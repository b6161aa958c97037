// Errors that flang reports for correct programs. Private to frontend/.
#ifndef CUFC_FRONTEND_FALSE_ERRORS_H
#define CUFC_FRONTEND_FALSE_ERRORS_H

#include "frontend/flang_program.h"

namespace cufc {

// Removes them from the messages of the program's semantic analysis:
//   - limits on device objects in an assignment that are only reached by counting managed objects,
//     the parents of components, which host code may use like its own, or elements and scalars;
//   - device data as items of output, and as arguments of intrinsic functions: lowering copies it;
//   - device data as an argument of an intrinsic that uses its descriptor alone;
//   - statements and pointer assignments in device code that lowering can do;
//   - device data under an ASSOCIATE name, and without TARGET, as an argument;
//   - sections with a stride for assumed-shape dummies on the device, whose descriptors have
//   strides;
// and the warnings of false_warnings.h.
// Makes warnings of errors about constant subscripts that are out of bounds.
// Returns whether there were any such errors. flang writes no module files then; see
// without_bodies.h.
bool dropFalseErrors(FlangProgram &program);

} // namespace cufc
#endif // CUFC_FRONTEND_FALSE_ERRORS_H
