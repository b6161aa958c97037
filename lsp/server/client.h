// The other end of the conversation: what it can do, and messages to it by JSON-RPC's rules.
#ifndef CUFLS_SERVER_CLIENT_H
#define CUFLS_SERVER_CLIENT_H

#include "server/protocol.h"
#include <functional>

namespace cufc {

class Client {
public:
  using Send = std::function<void(const std::string &message)>;
  explicit Client(Send send) : send(std::move(send)) {}

  // Answers of requests: exactly one of them, once.
  void answer(const Json &id, Json result) const;
  // The same with a result that is JSON already: an object for each of a million numbers costs more
  // than all else.
  void answerText(const Json &id, std::string_view result) const;
  void fail(const Json &id, const ResponseError &error) const;
  void notify(const char *method, Json params) const;
  // Asks the client.
  using Answered = std::function<void(const Json &result)>; // null after an error
  void ask(const char *method, Json params, Answered answered);
  // An answer to that. Throws what nlohmann throws if it is not of the expected form.
  void takeResponse(const Json &message);

  void setCapabilities(Json given) { capabilities = std::move(given); }
  // Whether it says that it can do something: "textDocument/hover/contentFormat".
  bool has(const std::string &path) const;
  Json capability(const std::string &path) const;
  // Whether it asks for diagnostics, and can be told that they have changed: without that it would
  // not know what a build or the costs of kernels add.
  bool pulls() const {
    return has("textDocument/diagnostic") && has("workspace/diagnostics/refreshSupport");
  }

private:
  void sendJson(const Json &message) const;

  Send send;
  Json capabilities = Json::object();
  std::map<int, Answered> asked;
  int lastAsked = 0;
};

} // namespace cufc
#endif // CUFLS_SERVER_CLIENT_H
