// Options of the commands: a table for each command, from which parsing and --help follow.
#ifndef CUFLS_COMMANDS_COMMAND_LINE_H
#define CUFLS_COMMANDS_COMMAND_LINE_H

#include "base/diagnostics.h"
#include "commands/commands.h"
#include <map>

namespace cufc {

struct CommandOption {
  std::string_view name;  // "--target", "-j"
  std::string_view value; // how its value is called in the help; empty if it takes none
  std::string_view help;
};

struct CommandLine {
  std::map<std::string, std::vector<std::string>, std::less<>> options; // values in their order
  Arguments operands;
  Arguments rest; // after "--"

  bool has(std::string_view name) const { return options.contains(name); }
  // The last value, or empty.
  std::string value(std::string_view name) const;
};

// Values stand behind "=" or as the next argument; behind the letter too for "-j8". Mistakes are
// reported.
CommandLine parseCommandLine(const Arguments &arguments, const std::vector<CommandOption> &options,
                             Diagnostics &diagnostics);

// Prints the help of a command; the exit status.
int printHelp(std::string_view synopsis, std::string_view text,
              const std::vector<CommandOption> &options);

// Reports `value` as wrong unless it is a number of at least 1.
int positiveNumber(const std::string &value, std::string_view option, Diagnostics &diagnostics);

// The one operand, a folder or file that is there, or "."; reports what is wrong with it.
std::string operandFolder(const CommandLine &line, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFLS_COMMANDS_COMMAND_LINE_H
