// `cufls check --run`: programs are built with checks and run on the CPU, and what is found becomes
// diagnostics beside those of the sources.
#ifndef CUFLS_COMMANDS_CHECK_PROGRAMS_H
#define CUFLS_COMMANDS_CHECK_PROGRAMS_H

#include "commands/check_run.h"

namespace cufc {

struct ProgramRuns {
  std::vector<std::string> programs; // sources or targets; the only program of the folder if empty
  Arguments arguments;               // of each program
  size_t jobs = 0;                   // of builds; as many as there are cores if 0
};

// Puts what is shown of the check's files with all that the runs have found into `found`. The
// programs' own output goes to standard error. False if one could not be started, which is
// reported.
bool checkPrograms(const CheckRun &run, const ProgramRuns &wish, std::vector<Diagnostic> &found,
                   Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFLS_COMMANDS_CHECK_PROGRAMS_H
