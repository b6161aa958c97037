// Sources in CUDA C and C, which other compilers compile.
#ifndef CUFC_DRIVER_FOREIGN_SOURCES_H
#define CUFC_DRIVER_FOREIGN_SOURCES_H

#include "driver/compile.h"

namespace cufc {

// By the toolkit's nvcc; by the system's C compiler. The exit status, 0 or 1.
int compileCudaC(const CompileJob &job, const CompileContext &context);
int compileC(const CompileJob &job, const CompileContext &context);

} // namespace cufc
#endif // CUFC_DRIVER_FOREIGN_SOURCES_H
