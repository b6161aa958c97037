// What the parts of the server for assistants say to each other: JSON in the order in which it is
// written, and errors of requests.
#ifndef CUFLS_MCP_JSON_RPC_H
#define CUFLS_MCP_JSON_RPC_H

#include <nlohmann/json.hpp>
#include <string>

namespace cufc::mcp {

using Json = nlohmann::ordered_json;

// JSON-RPC's codes and the one that the Model Context Protocol adds.
enum class RpcError {
  Parse = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  Internal = -32603,
  ResourceNotFound = -32002,
};

// The answer to a request that is wrong.
struct RequestFailure {
  RpcError code;
  std::string message;
};

// A tool that cannot do what it was asked: the assistant reads why, and may call it otherwise.
struct ToolFailure {
  std::string message;
};

} // namespace cufc::mcp
#endif // CUFLS_MCP_JSON_RPC_H
