// The link of a program's device code, before that of its host code.
#ifndef CUFC_DRIVER_DEVICE_LINK_H
#define CUFC_DRIVER_DEVICE_LINK_H

#include "driver/compile.h"
#include "driver/plan.h"

namespace cufc {

// Makes an object file for each group of files in the plan that share device code and adds it to
// what is linked, behind everything else. Intermediate files go to `scratch`. False if a mistake
// was reported, here or by a child process.
bool linkDeviceCode(Plan &plan, const CompileContext &context, const TemporaryFolder &scratch,
                    Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_DRIVER_DEVICE_LINK_H
