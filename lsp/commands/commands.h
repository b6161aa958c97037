// The commands of `cufls`, one file each.
#ifndef CUFLS_COMMANDS_COMMANDS_H
#define CUFLS_COMMANDS_COMMANDS_H

#include <string>
#include <vector>

namespace cufc {

using Arguments = std::vector<std::string>;

// Exit statuses of all commands: clean, the sources have errors, could not run.
constexpr int exitClean = 0;
constexpr int exitErrors = 1;
constexpr int exitFailed = 2;

// Runs the command that the first argument names.
int runCommand(const Arguments &arguments);

// Each takes the arguments after its name and returns the exit status.
int checkCommand(const Arguments &arguments);
int explainCommand(const Arguments &arguments);
int symbolsCommand(const Arguments &arguments);
int buildCommand(const Arguments &arguments);
int runProgramCommand(const Arguments &arguments);
int occupancyCommand(const Arguments &arguments);
int doctorCommand(const Arguments &arguments);
int refactorCommand(const Arguments &arguments);
int flagsCommand(const Arguments &arguments);
int schemaCommand(const Arguments &arguments);
int mcpCommand(const Arguments &arguments);
int tuneCommand(const Arguments &arguments);
int indexCommand(const Arguments &arguments);
int debugCommand(const Arguments &arguments);
// The language server; takes all arguments.
int serveCommand(const Arguments &arguments);

} // namespace cufc
#endif // CUFLS_COMMANDS_COMMANDS_H
