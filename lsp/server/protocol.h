// The Language Server Protocol's own types as JSON: positions, ranges, URIs, errors.
//
// Positions and ranges of the client count in the encoding that was agreed on, for which the text
// of the line is needed. Accessors of what a client sent throw nlohmann's exceptions if it is not
// of the expected form; the dispatcher answers those with InvalidParams.
#ifndef CUFLS_SERVER_PROTOCOL_H
#define CUFLS_SERVER_PROTOCOL_H

#include "base/diagnostics.h"
#include "index/workspace.h"
#include <nlohmann/json.hpp>

namespace cufc {

using Json = nlohmann::json;

// JSON-RPC's and the protocol's codes.
enum class ErrorCode {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  InternalError = -32603,
  ServerNotInitialized = -32002,
  RequestFailed = -32803,
  ContentModified = -32801,
  RequestCancelled = -32800,
};

struct ResponseError {
  ErrorCode code;
  std::string message;
};

// "file:///a%20b.cuf" to "/a b.cuf". A URI of another scheme becomes a path that no file has.
std::string pathOfUri(const std::string &uri);
std::string uriOfPath(const std::string &path);

// Turns positions of files into those of the client. Texts of files that are not open are read and
// kept for the time of one answer.
class Positions {
public:
  Positions(const Workspace &workspace, PositionEncoding encoding,
            const std::map<std::string, std::string> &uris)
      : workspace(workspace), encoding(encoding), uris(uris) {}

  Json position(const std::string &path, TextPosition position);
  Json range(const std::string &path, const TextRange &range);
  Json location(const Location &location); // a Location
  Json range(const SourceRange &range);    // of a diagnostic
  std::string uri(const std::string &path) const;

  TextPosition position(const Document &document, const Json &position) const;
  TextRange range(const Document &document, const Json &range) const;

  const Document &document(const std::string &path);
  PositionEncoding unit() const { return encoding; }

private:
  const Workspace &workspace;
  PositionEncoding encoding;
  const std::map<std::string, std::string> &uris; // of open files, as the client names them
  std::map<std::string, Document> read;
};

} // namespace cufc
#endif // CUFLS_SERVER_PROTOCOL_H
