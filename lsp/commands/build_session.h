// One build as a command does it, for `cufls build` and `cufls run`: from a project to its targets,
// with progress on a terminal and diagnostics in the form that was asked for.
#ifndef CUFLS_COMMANDS_BUILD_SESSION_H
#define CUFLS_COMMANDS_BUILD_SESSION_H

#include "commands/command_line.h"
#include "project/build.h"

namespace cufc {

struct SessionOptions {
  DiagnosticFormat format = DiagnosticFormat::Text;
  int jobs = 0; // as many as there are cores if 0
  std::vector<std::string> targets;
  bool verbose = false;
  Arguments arguments;       // of the command, for logs
  std::string diagnosticsTo; // a file that gets them too (output.h)
};

struct Session {
  int status = exitClean;
  std::vector<std::string> outputs; // of the project's targets, in their order
};

// `found` are the diagnostics of reading the project; they are shown with those of the build.
Session runSession(const Project &project, const SessionOptions &options, Diagnostics &found);

// The options -j, -v and --diagnostics-to.
void takeBuildOptions(const CommandLine &line, SessionOptions &session, Diagnostics &diagnostics);

// Shows why nothing was done.
int refuse(const SessionOptions &options, Diagnostics &diagnostics);

// Reports unknown names; the indices of the targets otherwise.
std::vector<size_t> targetsNamed(const Project &project, const std::vector<std::string> &names,
                                 Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFLS_COMMANDS_BUILD_SESSION_H
