// Messages in and out: JSON-RPC's rules, the lifecycle, and requests that wait.
#include "server/server.h"
#include "server/api_json.h"
#include <algorithm>
#include <csignal>
#include <unistd.h>

namespace cufc {
namespace {

std::string uriOf(const Json &params) {
  if (!params.is_object())
    return {};
  if (!params.contains("textDocument")) { // of an item that is to be resolved
    const Json data = params.value("data", Json());
    return data.is_object() && data.contains("uri") && data["uri"].is_string()
               ? data["uri"].get<std::string>()
               : std::string();
  }
  return params.at("textDocument").at("uri").get<std::string>();
}

const char *versionText = CUFC_VERSION;

} // namespace

const SourceFile &RequestContext::file() const {
  std::string uri = uriOf(params);
  const SourceFile *file = workspace.find(pathOfUri(uri));
  if (!file || !file->open)
    throw ResponseError{ErrorCode::InvalidParams, "the document is not open: " + uri};
  return *file;
}

Query RequestContext::query() const {
  const SourceFile &source = file();
  return {workspace, source, positions.position(source.document, params.at("position"))};
}

Server::Server(asio::io_context &loop, const ServerOptions &options, Client::Send send,
               std::function<void(int)> exit)
    : logFile(options.logFile), client(std::move(send)), host(loop, options.host, *this),
      commands(host, client), publisher(*this), exit(std::move(exit)), indexDisplay(client),
      parentTimer(loop), refreshTimer(loop), apiTimer(loop) {}

void Server::receive(const std::string &text) {
  log("<- " + text);
  Json message = Json::parse(text, nullptr, false);
  if (message.is_discarded())
    return client.fail(nullptr, {ErrorCode::ParseError, "the message is no JSON"});
  if (!message.is_object())
    return client.fail(nullptr, {ErrorCode::InvalidRequest, "the message is no object"});
  Json id = message.value("id", Json());
  if (!message.contains("method")) {
    if (message.contains("result") || message.contains("error"))
      return takeResponse(message);
    return client.fail(id, {ErrorCode::InvalidRequest, "the message has no method"});
  }
  if (!message["method"].is_string())
    return client.fail(id, {ErrorCode::InvalidRequest, "the method is no string"});
  std::string name = message["method"];
  Json params = message.value("params", Json::object());
  if (message.contains("id")) {
    if (!id.is_number_integer() && !id.is_string())
      return client.fail(nullptr,
                         {ErrorCode::InvalidRequest, "the id is neither integer nor string"});
    return handleRequest(id, name, params);
  }
  const Notification *row = findNotification(name);
  if (!row || (state != State::Initialized && name != "exit"))
    return;
  try {
    (this->*row->handle)(params);
  } catch (const nlohmann::json::exception &error) {
    log(name + ": " + error.what());
  } catch (const ResponseError &error) {
    log(name + ": " + error.message);
  }
}

// "key 'position' not found" without the library's number in front of it.
static std::string wrongParameters(const nlohmann::json::exception &error) {
  std::string_view text = error.what();
  size_t number = text.find("] ");
  return "wrong parameters: " + std::string(text.substr(number == text.npos ? 0 : number + 2));
}

void Server::handleRequest(const Json &id, const std::string &name, const Json &params) {
  if (state == State::New && name != "initialize")
    return client.fail(id, {ErrorCode::ServerNotInitialized, "initialize has to come first"});
  if (state != State::New && name == "initialize")
    return client.fail(id, {ErrorCode::InvalidRequest, "initialize has come before"});
  if (state == State::ShutDown)
    return client.fail(id, {ErrorCode::InvalidRequest, "the server has been shut down"});
  const Method *method = findMethod(name);
  if (!method)
    return client.fail(id, {ErrorCode::MethodNotFound, "unknown method " + name});
  try {
    std::string path = method->needs == Needs::Nothing ? "" : pathOfUri(uriOf(params));
    if (mustWait(*method, path)) {
      waiting.push_back({id, method, params, path});
      return;
    }
  } catch (const nlohmann::json::exception &error) {
    return client.fail(id, {ErrorCode::InvalidParams, wrongParameters(error)});
  }
  perform(id, *method, params);
}

bool Server::mustWait(const Method &method, const std::string &path) const {
  const SourceFile *file = host.workspace.find(path);
  if (method.needs == Needs::Nothing || !file || !file->open)
    return false;
  if (!file->analysis)
    return true;
  return method.needs == Needs::Current && host.isAnalysing(path);
}

void Server::perform(const Json &id, const Method &method, const Json &params) {
  try {
    RequestContext context{*this, client, host, id, params, host.workspace, positions()};
    client.answer(id, method.answer(context));
  } catch (const AnsweredLater &) {
    return;
  } catch (const ResponseError &error) {
    client.fail(id, error);
  } catch (const nlohmann::json::exception &error) {
    client.fail(id, {ErrorCode::InvalidParams, wrongParameters(error)});
  }
}

// What waits for analyses and need not any more. An answer may change what the others wait for.
void Server::answerWaiting() {
  for (size_t i = 0; i < waiting.size();)
    if (mustWait(*waiting[i].method, waiting[i].path)) {
      ++i;
    } else {
      Waiting next = std::move(waiting[i]);
      waiting.erase(waiting.begin() + static_cast<long>(i));
      perform(next.id, *next.method, next.params);
    }
}

void Server::cancelRequest(const Json &params) {
  const Json &id = params.at("id");
  auto found =
      std::find_if(waiting.begin(), waiting.end(), [&](const Waiting &w) { return w.id == id; });
  if (found == waiting.end())
    return commands.cancel(id); // or it is answered already
  waiting.erase(found);
  client.fail(id, {ErrorCode::RequestCancelled, "cancelled"});
}

void Server::cancelProgress(const Json &params) { commands.cancelProgress(params.at("token")); }

void Server::takeResponse(const Json &message) {
  try {
    client.takeResponse(message);
  } catch (const nlohmann::json::exception &error) {
    log(std::string("answer of the client: ") + error.what());
  }
}

Json Server::initialize(const Json &params) {
  client.setCapabilities(params.value("capabilities", Json::object()));
  if (params.contains("processId") && params["processId"].is_number_integer())
    parent = params["processId"];
  Json encodings = client.capability("general/positionEncodings");
  if (encodings.is_array()) // in the order of the client's liking
    for (const Json &name : encodings)
      if (name == "utf-8" || name == "utf-16" || name == "utf-32") {
        encoding = name == "utf-8"    ? PositionEncoding::Utf8
                   : name == "utf-32" ? PositionEncoding::Utf32
                                      : PositionEncoding::Utf16;
        break;
      }
  std::vector<std::string> folders;
  Json listed = params.value("workspaceFolders", Json());
  if (listed.is_array())
    for (const Json &folder : listed)
      folders.push_back(pathOfUri(folder.at("uri")));
  else if (params.contains("rootUri") && params["rootUri"].is_string())
    folders.push_back(pathOfUri(params["rootUri"]));
  host.setFolders(std::move(folders));
  Json options = params.value("initializationOptions", Json::object());
  host.setTrusted(options.is_object() && options.value("trusted", false));
  readSettings(options);
  state = State::Initialized;
  if (parent > 0)
    watchParent();
  Json able = capabilities(encoding);
  if (!client.pulls()) // it is told without asking, and would show everything twice
    able.erase("diagnosticProvider");
  return {{"capabilities", std::move(able)},
          {"serverInfo", {{"name", "cufls"}, {"version", versionText}}}};
}

Json Server::shutdown() {
  state = State::ShutDown;
  host.stop();
  while (!waiting.empty()) {
    client.fail(waiting.front().id, {ErrorCode::RequestCancelled, "the server shuts down"});
    waiting.pop_front();
  }
  return nullptr;
}

const ApiTable &Server::api() {
  readApi();
  return apiTable.get();
}

void Server::readApi() {
  if (!apiTable.valid())
    apiTable = apiTableOf(host.projects.checkOptions().installation.libraries + "/api.json");
}

void Server::readApiSoon() {
  apiTimer.expires_after(std::chrono::seconds(1));
  apiTimer.async_wait([this](const asio::error_code &error) {
    if (!error)
      readApi();
  });
}

void Server::exitNotified(const Json &) { exit(state == State::ShutDown ? 0 : 1); }
void Server::disconnected() { exit(state == State::ShutDown ? 0 : 1); }
void Server::setTrace(const Json &) {}

// An editor that was killed cannot say exit, and may have left its end of the pipe to others.
void Server::watchParent() {
  parentTimer.expires_after(std::chrono::seconds(5));
  parentTimer.async_wait([this](const asio::error_code &error) {
    if (error)
      return;
    if (kill(static_cast<pid_t>(parent), 0) != 0 && errno == ESRCH)
      return exit(1);
    watchParent();
  });
}

Json Server::setting(const std::string &name) const {
  std::string path = name;
  std::replace(path.begin(), path.end(), '.', '/');
  auto pointer = Json::json_pointer("/" + path);
  return settings.is_object() && settings.contains(pointer) ? settings.at(pointer) : Json();
}

} // namespace cufc
