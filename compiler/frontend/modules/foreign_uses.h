// Modules that another compiler has compiled: their files for flang, and what a source must not do
// with them. Private to frontend/, but for `foreignModulesOf`.
//
// Such files lie in a folder of the analysis's own, which flang searches before all others.
#ifndef CUFC_FRONTEND_FOREIGN_USES_H
#define CUFC_FRONTEND_FOREIGN_USES_H

#include "base/diagnostics.h"
#include "foreign/foreign_modules.h"
#include "frontend/program.h"

namespace cufc {

// Before the analysis of a source that is parsed: writes the module files and reports the modules
// that cannot be read.
foreign::ForeignModules provideForeignModules(FlangProgram &program,
                                              const FrontendOptions &settings,
                                              Diagnostics &diagnostics);
// The same for modules that no source names.
void provideForeignModules(FlangProgram &program, const FrontendOptions &settings,
                           const std::vector<std::string> &modules);

// After the analysis: reports what flang knows nothing of, in place of errors that follow from it.
void checkForeignUses(FlangProgram &program, const foreign::ForeignModules &modules,
                      Diagnostics &diagnostics);

// The modules of other compilers that an analysed source uses.
foreign::ForeignModules foreignModulesOf(const Program &program);

} // namespace cufc
#endif // CUFC_FRONTEND_FOREIGN_USES_H
