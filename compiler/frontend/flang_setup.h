// flang's options and context for what the command line asks. Private to frontend/.
#ifndef CUFC_FRONTEND_FLANG_SETUP_H
#define CUFC_FRONTEND_FLANG_SETUP_H

#include "frontend/flang_program.h"
#include "frontend/program.h"

namespace cufc {

std::unique_ptr<FlangProgram> newFlangProgram(const FrontendOptions &settings);

// Sets everything that may differ between analyses with the same defaults of types.
void setParserOptions(const FrontendOptions &settings, Fortran::parser::Options &options);
void setModuleFolders(const FrontendOptions &settings, FlangProgram &program);

// Gives the program its context.
void makeContext(const FrontendOptions &settings, const llvm::TargetMachine &target,
                 FlangProgram &program);

} // namespace cufc
#endif // CUFC_FRONTEND_FLANG_SETUP_H
