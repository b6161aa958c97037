// What all commands that show diagnostics share: --format, colours, standard output.
#ifndef CUFLS_COMMANDS_OUTPUT_H
#define CUFLS_COMMANDS_OUTPUT_H

#include "base/diagnostics.h"
#include "commands/commands.h"

namespace cufc {

// Takes --format=FORM or --format FORM out of `arguments`; without one it is text, with colours if
// standard output shows them. A wrong one is reported.
DiagnosticFormat takeFormat(Arguments &arguments, Diagnostics &diagnostics);

// Writes diagnostics to standard output. `arguments` are those of the command, `files` what was
// looked at; `able` is false if the command could not do its work, for SARIF. False if it cannot be
// written.
bool printDiagnostics(const std::vector<Diagnostic> &list, DiagnosticFormat format,
                      const Arguments &arguments, const std::vector<std::string> &files,
                      bool able = true);

// Adds a diagnostic to a file, as a line of JSON, for a program that shows it; what is printed is
// for people. Nothing is done without a file.
void appendDiagnostic(const std::string &file, const Diagnostic &diagnostic);

} // namespace cufc
#endif // CUFLS_COMMANDS_OUTPUT_H
