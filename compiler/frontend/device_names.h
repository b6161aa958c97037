// Names of device code that a program declares itself. Private to frontend/.
#ifndef CUFC_FRONTEND_DEVICE_NAMES_H
#define CUFC_FRONTEND_DEVICE_NAMES_H

#include "frontend/flang_program.h"

namespace cufc {

// flang makes all of module cudadevice visible in each device procedure, and refuses a variable or
// dummy argument there that has one of its hundreds of names, such as `clock` and `rsqrt`. For a
// program they are names of the language, which a declaration of its own hides. Takes those out of
// the module's scope that device procedures of the file declare, unless another one uses the name
// without having declared it. Before the semantic analysis.
void hideDeviceNames(FlangProgram &program);

} // namespace cufc
#endif // CUFC_FRONTEND_DEVICE_NAMES_H
