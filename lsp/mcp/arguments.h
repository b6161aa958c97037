// Arguments of a tool against its schema, as far as the schemas of our own tools go: types,
// choices, bounds, required and unknown names.
#ifndef CUFLS_MCP_ARGUMENTS_H
#define CUFLS_MCP_ARGUMENTS_H

#include "mcp/json_rpc.h"

namespace cufc::mcp {

// Throws ToolFailure with all that is wrong.
void checkArguments(const Json &arguments, const Json &schema);

// Values of arguments that were checked; what was left out is empty.
std::string textOf(const Json &arguments, const char *name);
std::vector<std::string> textsOf(const Json &arguments, const char *name);
bool isSet(const Json &arguments, const char *name);

} // namespace cufc::mcp
#endif // CUFLS_MCP_ARGUMENTS_H
