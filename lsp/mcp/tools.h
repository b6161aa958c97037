// The tools for assistants: each is a command of cufls with arguments that are checked, so that it
// does what the command does in a terminal, or a search in what the server knows itself.
#ifndef CUFLS_MCP_TOOLS_H
#define CUFLS_MCP_TOOLS_H

#include "mcp/json_rpc.h"
#include <string>
#include <vector>

namespace cufc::mcp {

// What a tool may do in a workspace that nobody has called trusted.
enum class Trust {
  Reads,   // always allowed: nothing of the workspace runs
  Asks,    // builds or runs programs: the user is asked, once for a conversation
  Trusted, // runs makefiles and their like: refused
};

// The folder that the assistant works in.
struct Place {
  std::string folder;
  // The absolute path of a file or folder in it; throws ToolFailure for others.
  std::string inside(const std::string &path) const;
};

struct ToolCall {
  std::vector<std::string> command; // of cufls
  Trust trust = Trust::Reads;
  std::string question = {};   // to the user, if `trust` asks
  bool asksAlways = false;     // also when the user has agreed to something before
  std::string reportFile = {}; // that the program writes, or empty
  int timeout = 600;           // in seconds
};

// What has become of the command.
struct Outcome {
  int exitStatus = 0;
  bool timedOut = false;
  int timeout = 0;
  std::string folder; // that it ran in
  std::string output, errors;
  std::string report; // the content of `reportFile`
};

// What an assistant gets: a text, and the same as data if there is any.
struct ToolResult {
  std::string text;
  Json data; // an object, or null
  bool failed = false;
};

struct Tool {
  const char *name;
  const char *title;
  const char *description;
  const char *schema; // of the arguments
  bool readOnly;      // changes nothing outside of caches
  // Throws ToolFailure. Null for a tool that the server answers itself.
  ToolCall (*call)(const Json &arguments, const Place &place);
  ToolResult (*result)(const Json &arguments, const Outcome &outcome);
};

const std::vector<Tool> &allTools();
// Null if there is none of the name.
const Tool *findTool(const std::string &name);

// As `tools/list` names them.
Json toolsJson();

} // namespace cufc::mcp
#endif // CUFLS_MCP_TOOLS_H
