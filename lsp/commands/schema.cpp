// `cufls schema`: the JSON schema of cufls.json, for editors.
#include "base/diag.h"
#include "commands/command_line.h"
#include "project/project.h"
#include <cstdio>

namespace cufc {

int schemaCommand(const Arguments &arguments) {
  const std::vector<CommandOption> options = {{"--help", "", "print this text"}};
  Diagnostics diagnostics;
  CommandLine line = parseCommandLine(arguments, options, diagnostics);
  if (line.has("--help"))
    return printHelp(
        "schema", "Prints the JSON schema of cufls.json; lib/cufc/cufls.schema.json is the same.",
        options);
  for (const std::string &operand : line.operands)
    diagnostics.report(Diag::ExtraOperand, {}, operand);
  if (diagnostics.hasErrors()) {
    diagnostics.flush();
    return exitFailed;
  }
  return std::fputs(projectSchema().c_str(), stdout) < 0 ? exitFailed : exitClean;
}

} // namespace cufc
