// Each TCP connection is served by a process of its own, so clients share nothing but the caches
// and cannot disturb each other.
#include "server/serve.h"
#include "base/stale_folders.h"
#include "server/channel.h"
#include "server/server.h"
#include <asio/ip/tcp.hpp>
#include <csignal>
#include <unistd.h>

namespace cufc {
namespace {

asio::ip::address addressOf(const std::string &host, asio::error_code &error) {
  return asio::ip::make_address(host == "localhost" ? "127.0.0.1" : host, error);
}

} // namespace

int serveClient(int input, int output, const ServerOptions &options, const std::string &token) {
  signal(SIGPIPE, SIG_IGN);
  asio::io_context loop;
  int status = 1;
  bool leaving = false, known = token.empty();
  std::unique_ptr<Channel> channel;
  // What was sent before the end is still written.
  auto leave = [&](int exitStatus) {
    if (std::exchange(leaving, true))
      return;
    status = exitStatus;
    if (!channel || channel->idle())
      return loop.stop();
    auto timer = std::make_shared<asio::steady_timer>(loop, std::chrono::milliseconds(200));
    timer->async_wait([&loop, timer](const asio::error_code &) { loop.stop(); });
  };
  Server server(
      loop, options,
      [&](const Json &message) {
        std::string text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
        server.logFile.write("-> " + text);
        channel->send(text);
      },
      leave);
  auto isAllowed = [&](const std::string &message) {
    Json json = Json::parse(message, nullptr, false);
    auto pointer = "/params/initializationOptions/token"_json_pointer;
    return json.is_object() && json.contains(pointer) && json.at(pointer) == token;
  };
  channel = std::make_unique<Channel>(
      loop, input, output,
      [&](std::string message) {
        if (leaving)
          return;
        if (!known && !(known = isAllowed(message))) {
          channel->send(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,)"
                        R"("message":"initializationOptions.token is missing or wrong"}})");
          return leave(1);
        }
        server.receive(message);
      },
      [&](bool) { server.disconnected(); });
  channel->start();
  loop.run();
  removeStaleFolders(); // of servers that were killed
  return status;
}

std::optional<bool> isLoopback(const std::string &host) {
  asio::error_code error;
  asio::ip::address address = addressOf(host, error);
  return error ? std::nullopt : std::optional(address.is_loopback());
}

std::string serveConnections(const std::string &host, unsigned short port, const std::string &token,
                             const ServerOptions &options,
                             const std::function<void(unsigned short)> &listening) {
  asio::io_context loop;
  asio::error_code error;
  asio::ip::tcp::endpoint endpoint(addressOf(host, error), port);
  asio::ip::tcp::acceptor acceptor(loop);
  acceptor.open(endpoint.protocol(), error);
  if (!error)
    acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error)
    acceptor.bind(endpoint, error);
  if (!error)
    acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    return error.message();
  listening(acceptor.local_endpoint().port());
  signal(SIGCHLD, SIG_IGN); // connections end by themselves
  while (true) {
    asio::ip::tcp::socket socket(loop);
    acceptor.accept(socket, error);
    if (error)
      return error.message();
    if (fork() != 0)
      continue;
    signal(SIGCHLD, SIG_DFL);
    acceptor.close(error);
    int connection = dup(socket.native_handle());
    socket.close(error);
    _exit(serveClient(connection, connection, options, token));
  }
}

} // namespace cufc
