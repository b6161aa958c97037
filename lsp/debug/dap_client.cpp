// See dap_client.h.
#include "debug/dap_client.h"
#include <array>
#include <cerrno>
#include <unistd.h>

namespace cufc::debug {

void DapClient::receive() {
  std::array<char, 65536> bytes;
  ssize_t count = read(input, bytes.data(), bytes.size());
  if (count > 0)
    reader.add({bytes.data(), static_cast<size_t>(count)});
  else if (count == 0 || errno != EINTR)
    isOver = true;
}

std::optional<Json> DapClient::nextRequest() {
  while (std::optional<std::string> content = reader.next()) {
    if (log)
      log(*content);
    Json message = Json::parse(*content, nullptr, /*allow_exceptions=*/false);
    if (message.is_object() && message.value("type", "") == "request" &&
        message.contains("command") && message["command"].is_string())
      return message;
  }
  if (reader.broken())
    isOver = true;
  return std::nullopt;
}

void DapClient::send(Json message) {
  message["seq"] = ++lastNumber;
  // What a program writes need not be UTF-8.
  std::string content = message.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (log)
    log(content);
  std::string text = framed(content);
  for (size_t done = 0; done < text.size() && !isOver;) {
    ssize_t count = write(output, text.data() + done, text.size() - done);
    if (count > 0)
      done += static_cast<size_t>(count);
    else if (errno != EINTR)
      isOver = true;
  }
}

void DapClient::reply(const Json &request, const Json &body) {
  Json message{{"type", "response"},
               {"request_seq", request.value("seq", 0)},
               {"success", true},
               {"command", request["command"]}};
  if (!body.is_null())
    message["body"] = body;
  send(std::move(message));
}

void DapClient::fail(const Json &request, const std::string &text) {
  send({{"type", "response"},
        {"request_seq", request.value("seq", 0)},
        {"success", false},
        {"command", request["command"]},
        {"message", text},
        {"body", {{"error", {{"id", 1}, {"format", text}, {"showUser", true}}}}}});
}

void DapClient::event(const char *name, const Json &body) {
  send({{"type", "event"}, {"event", name}, {"body", body}});
}

} // namespace cufc::debug
