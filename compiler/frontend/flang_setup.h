// flang's options and context for what the command line asks. Private to frontend/.
#ifndef CUFC_FRONTEND_FLANG_SETUP_H
#define CUFC_FRONTEND_FLANG_SETUP_H

#include "frontend/flang_program.h"
#include "frontend/program.h"

namespace cufc {

std::unique_ptr<FlangProgram> newFlangProgram(const FrontendOptions &settings);

// The programming models beside CUDA Fortran, as the driver says by macros that it predefines.
int openmpVersion(const FrontendOptions &settings); // 51 for 5.1; 0: its directives are comments
bool usesOpenacc(const FrontendOptions &settings);
bool usesThreads(const FrontendOptions &settings); // for DO CONCURRENT

// Sets everything that may differ between analyses with the same defaults of types.
void setLanguage(const FrontendOptions &settings, FlangProgram &program);
void setModuleFolders(const FrontendOptions &settings, FlangProgram &program);

// The path of a module file as the options name its folder.
std::string pathOfModuleFile(const FrontendOptions &settings, const std::string &path);

// flang looks for module files in the current folder before all others, where old ones may lie. So
// this is to be called in place of its own `Perform`.
bool perform(Fortran::semantics::Semantics &semantics);

// Gives the program its context.
void makeContext(const FrontendOptions &settings, const llvm::TargetMachine &target,
                 FlangProgram &program);

} // namespace cufc
#endif // CUFC_FRONTEND_FLANG_SETUP_H
