// Documents as the client edits them, and what the client is told of them.
#include "server/server.h"
#include "tables/protocol_messages.h"

namespace cufc {
namespace {

protocol::ServerState stateOf(HostStatus::State state) {
  return state == HostStatus::State::Idle        ? protocol::ServerState::Idle
         : state == HostStatus::State::Analysing ? protocol::ServerState::Analysing
                                                 : protocol::ServerState::Indexing;
}

template <typename Number>
std::int64_t whole(Number number) {
  return static_cast<std::int64_t>(number);
}

// The protocol's MessageType.
int messageType(Severity severity) {
  return severity == Severity::Error ? 1 : severity == Severity::Warning ? 2 : 3;
}

} // namespace

const SourceFile &Server::openFile(const Json &params) const {
  std::string uri = params.at("textDocument").at("uri");
  const SourceFile *file = host.workspace.find(pathOfUri(uri));
  if (!file || !file->open)
    throw ResponseError{ErrorCode::InvalidParams, "the document is not open: " + uri};
  return *file;
}

Json Server::versionOf(const std::string &path) const {
  auto found = versions.find(path);
  return found == versions.end() ? Json() : found->second;
}

void Server::didOpen(const Json &params) {
  const Json &item = params.at("textDocument");
  std::string uri = item.at("uri"), path = pathOfUri(uri), text = item.at("text");
  uris[path] = uri;
  versions[path] = item.value("version", Json());
  if (client.pulls())
    publisher.withdraw(path);
  host.open(path, std::move(text));
  sendInactiveRegions(host.workspace.file(path));
}

void Server::didChange(const Json &params) {
  const SourceFile &file = openFile(params);
  versions[file.path] = params.at("textDocument").value("version", Json());
  Positions positions = this->positions();
  for (const Json &change : params.at("contentChanges")) {
    TextChange edit{file.document.all(), change.at("text")};
    bool wholeText = !change.contains("range");
    if (!wholeText)
      edit.range = positions.range(file.document, change["range"]);
    host.change(file.path, std::move(edit), wholeText);
  }
  host.edited(file.path);
  sendInactiveRegions(file);
}

void Server::didSave(const Json &params) { host.saved(openFile(params).path); }

void Server::didClose(const Json &params) {
  std::string path = openFile(params).path;
  uris.erase(path);
  versions.erase(path);
  tokenResults.forget(path);
  inactive.erase(path);
  host.close(path);
  if (const SourceFile *closed = host.workspace.find(path);
      closed && closed->analysis && client.pulls())
    publisher.publish(path);
}

void Server::costsChanged(const std::string &path) {
  protocol::OccupancyChanged message{positions().uri(path)};
  if (Json version = versionOf(path); version.is_number_integer())
    message.version = version.get<std::int64_t>();
  client.notify(protocol::method::occupancyChanged, message);
}

void Server::statusChanged() {
  HostStatus now = host.status();
  if (std::exchange(lastState, now.state) != now.state)
    client.notify(protocol::method::status,
                  protocol::ServerStatus{stateOf(now.state), whole(now.openFiles),
                                         whole(now.sources), whole(now.indexed),
                                         whole(now.restarts), whole(now.memory)});
}

void Server::say(const HostMessage &message) {
  std::string severity = message.severity == Severity::Error ? "error: " : "";
  client.notify(
      message.shown ? "window/showMessage" : "window/logMessage",
      {{"type", messageType(message.severity)}, {"message", "cufls: " + severity + message.text}});
}

void Server::ask(const HostQuestion &question, HostQuestion::Answered answered) {
  Json actions = Json::array();
  for (const std::string &choice : question.choices)
    actions.push_back(Json{{"title", choice}});
  client.ask("window/showMessageRequest",
             {{"type", messageType(question.severity)},
              {"message", "cufls: " + question.text},
              {"actions", actions}},
             [answered = std::move(answered)](const Json &choice) {
               answered(choice.is_object() ? choice.value("title", "") : std::string());
             });
}

void Server::scheduleRefresh() {
  if (refreshScheduled)
    return;
  refreshScheduled = true;
  refreshTimer.expires_after(std::chrono::milliseconds(50));
  refreshTimer.async_wait([this](const asio::error_code &error) {
    refreshScheduled = false;
    if (error || state != State::Initialized)
      return;
    struct Refresh {
      const char *capability, *request;
    };
    for (const auto &[capability, request] :
         {Refresh{"workspace/semanticTokens/refreshSupport", "workspace/semanticTokens/refresh"},
          Refresh{"workspace/inlayHint/refreshSupport", "workspace/inlayHint/refresh"},
          Refresh{"workspace/codeLens/refreshSupport", "workspace/codeLens/refresh"},
          Refresh{"workspace/diagnostics/refreshSupport", "workspace/diagnostic/refresh"}})
      if (client.has(capability))
        client.ask(request, nullptr, [](const Json &) {});
    for (const std::string &uri : std::exchange(contentsShown, {}))
      client.ask("workspace/textDocumentContent/refresh", {{"uri", uri}}, [](const Json &) {});
  });
}

} // namespace cufc
