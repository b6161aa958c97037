// The client's end of a conversation in the Debug Adapter Protocol: messages on two descriptors.
#ifndef CUFLS_DEBUG_DAP_CLIENT_H
#define CUFLS_DEBUG_DAP_CLIENT_H

#include "server/framing.h"
#include <deque>
#include <functional>
#include <nlohmann/json.hpp>

namespace cufc::debug {

using Json = nlohmann::json;

class DapClient {
public:
  DapClient(int input, int output) : input(input), output(output) {}

  int descriptor() const { return input; }
  bool ended() const { return isOver; }
  // Takes what is there.
  void receive();
  // A message that is not of the protocol is left out.
  std::optional<Json> nextRequest();

  void reply(const Json &request, const Json &body);
  void fail(const Json &request, const std::string &message);
  void event(const char *name, const Json &body = Json::object());

  // Where messages are told to, for a log.
  std::function<void(std::string_view)> log;

private:
  void send(Json message);

  int input, output;
  MessageReader reader;
  int64_t lastNumber = 0;
  bool isOver = false;
};

} // namespace cufc::debug
#endif // CUFLS_DEBUG_DAP_CLIENT_H
