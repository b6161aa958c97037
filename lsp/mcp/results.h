// What assistants get of the commands' output: short enough to read, complete as data.
#ifndef CUFLS_MCP_RESULTS_H
#define CUFLS_MCP_RESULTS_H

#include "mcp/tools.h"

namespace cufc::mcp {

// Of `check` and `build`: {exitStatus, errors, warnings, diagnostics, omitted, messages}.
ToolResult diagnosticsResult(const Json &arguments, const Outcome &outcome);
ToolResult explainResult(const Json &arguments, const Outcome &outcome);
// {exitStatus, timedOut, stdout, stderr, report, findings}
ToolResult runResult(const Json &arguments, const Outcome &outcome);
ToolResult occupancyResult(const Json &arguments, const Outcome &outcome);

// The beginning and the end of a text that is too long, and between them how much is left out.
std::string shortened(const std::string &text, size_t most);

} // namespace cufc::mcp
#endif // CUFLS_MCP_RESULTS_H
