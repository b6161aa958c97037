// Serves an assistant by the Model Context Protocol (stdio transport).
#ifndef CUFLS_MCP_SERVE_H
#define CUFLS_MCP_SERVE_H

#include <string>

namespace cufc::mcp {

struct ServeOptions {
  std::string executable; // cufls
  std::string version;
  std::string apiTable; // the file of the reference
  std::string folder;   // the workspace
  bool trusted = false;
};

// Serves one client on two descriptors; the exit status.
int serve(int input, int output, const ServeOptions &options);

} // namespace cufc::mcp
#endif // CUFLS_MCP_SERVE_H
