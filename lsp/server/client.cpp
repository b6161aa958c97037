// See client.h.
#include "server/client.h"

namespace cufc {

void Client::answer(const Json &id, Json result) const {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void Client::fail(const Json &id, const ResponseError &error) const {
  send({{"jsonrpc", "2.0"},
        {"id", id},
        {"error", {{"code", static_cast<int>(error.code)}, {"message", error.message}}}});
}

void Client::notify(const char *method, Json params) const {
  send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void Client::ask(const char *method, Json params, Answered answered) {
  asked[++lastAsked] = std::move(answered);
  send({{"jsonrpc", "2.0"}, {"id", lastAsked}, {"method", method}, {"params", std::move(params)}});
}

void Client::takeResponse(const Json &message) {
  const Json id = message.value("id", Json());
  auto found = id.is_number_integer() ? asked.find(id.get<int>()) : asked.end();
  if (found == asked.end())
    return;
  Answered answered = std::move(found->second);
  asked.erase(found);
  answered(message.value("result", Json()));
}

Json Client::capability(const std::string &path) const {
  auto pointer = Json::json_pointer("/" + path);
  return capabilities.contains(pointer) ? capabilities.at(pointer) : Json();
}

bool Client::has(const std::string &path) const {
  Json value = capability(path);
  return value.is_boolean() ? value.get<bool>() : !value.is_null();
}

} // namespace cufc
