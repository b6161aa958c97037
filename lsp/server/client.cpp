// See client.h.
#include "server/client.h"

namespace cufc {

namespace {

// What is no UTF-8 in a text, such as a file's name, is replaced.
std::string textOf(const Json &json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

void Client::sendJson(const Json &message) const { send(textOf(message)); }

void Client::answerText(const Json &id, std::string_view result) const {
  std::string message = R"({"jsonrpc":"2.0","id":)" + textOf(id) + R"(,"result":)";
  message.append(result).append("}");
  send(message);
}

void Client::answer(const Json &id, Json result) const {
  sendJson({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void Client::fail(const Json &id, const ResponseError &error) const {
  sendJson({{"jsonrpc", "2.0"},
            {"id", id},
            {"error", {{"code", static_cast<int>(error.code)}, {"message", error.message}}}});
}

void Client::notify(const char *method, Json params) const {
  sendJson({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void Client::ask(const char *method, Json params, Answered answered) {
  asked[++lastAsked] = std::move(answered);
  sendJson(
      {{"jsonrpc", "2.0"}, {"id", lastAsked}, {"method", method}, {"params", std::move(params)}});
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
