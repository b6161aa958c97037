// Messages in and out. What tools do is in session_tools.cpp.
#include "mcp/session.h"
#include "mcp/line_channel.h"
#include "server/api_json.h"
#include <algorithm>
#include <csignal>

namespace cufc::mcp {
namespace {

// Versions of the protocol that are spoken, the newest first. A client that asks for another one is
// told the newest.
constexpr const char *versions[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};

constexpr const char *instructions =
    "Tools for CUDA Fortran: check sources before building them, explain codes of diagnostics, "
    "look "
    "names up in the reference, build and run programs on a GPU or on the CPU, and see what "
    "kernels "
    "cost on a GPU that need not be there. Paths are relative to the workspace.";

bool isId(const Json &id) { return id.is_string() || id.is_number_integer(); }

} // namespace

const Session::Method Session::methods[] = {
    {"initialize", &Session::initialize},
    {"ping", &Session::ping},
    {"tools/list", &Session::listTools},
    {"resources/list", &Session::listResources},
    {"resources/templates/list", &Session::listTemplates},
    {"resources/read", &Session::readResource},
};

Session::Session(asio::io_context &loop, const ServeOptions &options, Send send)
    : loop(loop), options(options), place{options.folder}, send(std::move(send)) {}

void Session::receive(const std::string &line) {
  over.clear();
  Json message = Json::parse(line, nullptr, false);
  if (message.is_discarded())
    return fail(nullptr, {RpcError::Parse, "the line is no JSON"});
  if (!message.is_array() || message.empty())
    return take(message);
  for (const Json &part : message) // a batch, which version 2025-03-26 allows
    take(part);
}

void Session::take(const Json &message) {
  if (!message.is_object() || message.value("jsonrpc", Json()) != "2.0")
    return fail(nullptr, {RpcError::InvalidRequest, "the message is no object of JSON-RPC 2.0"});
  if (!message.contains("method")) {
    if (message.contains("result") || message.contains("error"))
      return takeResponse(message);
    return fail(message.value("id", Json()),
                {RpcError::InvalidRequest, "the message has no method"});
  }
  if (!message["method"].is_string())
    return fail(nullptr, {RpcError::InvalidRequest, "the method is no string"});
  Json params = message.value("params", Json::object());
  std::string name = message["method"];
  try {
    if (!message.contains("id"))
      return takeNotification(name, params);
    if (!isId(message["id"]))
      return fail(nullptr, {RpcError::InvalidRequest, "the id is neither integer nor string"});
    takeRequest(message["id"], name, params);
  } catch (const nlohmann::json::exception &error) {
    if (message.contains("id"))
      fail(message["id"],
           {RpcError::InvalidParams, std::string("wrong parameters: ") + error.what()});
  } catch (const RequestFailure &failure) {
    fail(message["id"], failure);
  }
}

void Session::takeRequest(const Json &id, const std::string &name, const Json &params) {
  if (!params.is_object())
    throw RequestFailure{RpcError::InvalidParams, "the parameters have to be an object"};
  if (!initialized && name != "initialize" && name != "ping")
    throw RequestFailure{RpcError::InvalidRequest, "initialize has to come first"};
  if (name == "tools/call")
    return callTool(id, params);
  for (const Method &method : methods)
    if (name == method.name)
      return answer(id, (this->*method.answer)(params));
  throw RequestFailure{RpcError::MethodNotFound, "unknown method " + name};
}

void Session::takeNotification(const std::string &name, const Json &params) {
  if (name == "notifications/cancelled" && params.is_object() && params.contains("requestId"))
    cancel(params["requestId"]);
}

Json Session::initialize(const Json &params) {
  if (initialized)
    throw RequestFailure{RpcError::InvalidRequest, "initialize has come before"};
  std::string asked = params.at("protocolVersion");
  protocol = std::find(std::begin(versions), std::end(versions), asked) != std::end(versions)
                 ? asked
                 : versions[0];
  client = params.value("capabilities", Json::object());
  initialized = true;
  return {
      {"protocolVersion", protocol},
      {"capabilities",
       {{"tools", {{"listChanged", false}}},
        {"resources", {{"subscribe", false}, {"listChanged", false}}}}},
      {"serverInfo", {{"name", "cufls"}, {"title", "CUDA Fortran"}, {"version", options.version}}},
      {"instructions", instructions}};
}

Json Session::ping(const Json &) { return Json::object(); }

Json Session::listTools(const Json &) { return {{"tools", toolsJson()}}; }

Json Session::listResources(const Json &) { return {{"resources", reference().resources()}}; }

Json Session::listTemplates(const Json &) {
  return {{"resourceTemplates", Reference::templates()}};
}

Json Session::readResource(const Json &params) {
  std::string uri = params.at("uri");
  std::optional<std::string> page = reference().page(uri);
  if (!page)
    throw RequestFailure{RpcError::ResourceNotFound, "there is no resource " + uri};
  Json content = {{"uri", uri}, {"mimeType", "text/markdown"}, {"text", *page}};
  return {{"contents", Json::array({content})}};
}

const Reference &Session::reference() {
  if (!pages)
    pages = std::make_unique<Reference>(readApiTable(options.apiTable));
  return *pages;
}

void Session::answer(const Json &id, Json result) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void Session::fail(const Json &id, const RequestFailure &failure) {
  Json message = {
      {"jsonrpc", "2.0"},
      {"error", {{"code", static_cast<int>(failure.code)}, {"message", failure.message}}}};
  if (!id.is_null()) // JSON-RPC 2.0 wants null for what cannot be known, the protocol's schema
                     // nothing
    message["id"] = id;
  send(message);
}

int serve(int input, int output, const ServeOptions &options) {
  signal(SIGPIPE, SIG_IGN);
  asio::io_context loop;
  std::unique_ptr<LineChannel> channel;
  Session session(loop, options, [&](const Json &message) {
    channel->send(message.dump(-1, ' ', false, Json::error_handler_t::replace));
  });
  asio::steady_timer timer(loop);
  // What was sent before the end is still written.
  auto ended = [&] {
    if (channel->idle())
      return loop.stop();
    timer.expires_after(std::chrono::milliseconds(200));
    timer.async_wait([&](const asio::error_code &) { loop.stop(); });
  };
  channel = std::make_unique<LineChannel>(
      loop, input, output, [&](const std::string &line) { session.receive(line); }, ended);
  channel->start();
  loop.run();
  return 0;
}

} // namespace cufc::mcp
