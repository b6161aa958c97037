// `cufls run --on=MACHINE`: a program that was built here runs elsewhere.
#ifndef CUFLS_COMMANDS_RUN_ON_H
#define CUFLS_COMMANDS_RUN_ON_H

#include "commands/commands.h"
#include "project/machines.h"

namespace cufc {

struct JobWish {
  std::string program; // the file
  Arguments arguments;
  Arguments inputs;       // files that it reads, as the user named them
  std::string reportFile; // where its report shall be here; empty: on standard error
  bool verbose = false;
};

// Carries the program and its inputs, shows what it prints, and says at the end where it ran and
// how long that took; the exit status is the program's. Ctrl-C and SIGTERM end the job. The program
// reads nothing from standard input. Variables CUF_... of the environment go with it.
int runOn(const Machine &machine, const JobWish &wish, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFLS_COMMANDS_RUN_ON_H
