// Each TCP connection is served by a process of its own, so clients share nothing but the caches
// and cannot disturb each other.
#include "server/serve.h"
#include "base/stale_folders.h"
#include "server/channel.h"
#include "server/server.h"
#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cufc {
namespace {

// Before a client has shown its token, and how many may be there at the same time.
constexpr size_t mostFirstMessage = size_t(1) << 20;
constexpr std::chrono::seconds timeForToken(10);
constexpr std::chrono::seconds waitAfterWrongToken(1);
constexpr int mostConnections = 100;

// Takes as long for a guess that is wrong at its end as for any other of its length.
bool isSameSecret(std::string_view given, std::string_view secret) {
  unsigned char difference = given.size() != secret.size();
  for (size_t i = 0; i < given.size(); ++i)
    difference |= static_cast<unsigned char>(given[i] ^ secret[i % secret.size()]);
  return difference == 0;
}

bool showsToken(const std::string &message, const std::string &token) {
  Json json = Json::parse(message, nullptr, false);
  auto pointer = "/params/initializationOptions/token"_json_pointer;
  return json.is_object() && json.contains(pointer) && json.at(pointer).is_string() &&
         isSameSecret(json.at(pointer).get<std::string>(), token);
}

// Processes that serve connections, of which some may have ended.
class Connections {
public:
  bool isFull() {
    while (count > 0 && waitpid(-1, nullptr, WNOHANG) > 0)
      --count;
    return count >= mostConnections;
  }
  void add() { ++count; }

private:
  int count = 0;
};

// What a full table of files or an impatient client brings about passes by.
bool passesBy(const asio::error_code &error) {
  return error == asio::error::no_descriptors || error == asio::error::connection_aborted ||
         error == asio::error::interrupted || error == asio::error::no_memory ||
         error == asio::error::no_buffer_space || error.value() == ENFILE;
}

asio::ip::address addressOf(const std::string &host, asio::error_code &error) {
  return asio::ip::make_address(host == "localhost" ? "127.0.0.1" : host, error);
}

} // namespace

int serveClient(int input, int output, const ServerOptions &options, const std::string &token) {
  signal(SIGPIPE, SIG_IGN);
  asio::io_context loop;
  int status = 1;
  bool leaving = false, refused = false;
  std::unique_ptr<Channel> channel;
  std::optional<Server> server; // of a client that is known: strangers cost next to nothing
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
  auto send = [&](const std::string &text) {
    server->logFile.write("-> " + text);
    channel->send(text);
  };
  auto admit = [&] { server.emplace(loop, options, send, leave); };
  if (token.empty())
    admit();
  asio::steady_timer patience(loop); // with a client that has not shown its token
  channel = std::make_unique<Channel>(
      loop, input, output,
      [&](const std::string &message) {
        if (leaving)
          return;
        if (refused)
          return;
        if (!server && !showsToken(message, token)) {
          refused = true;
          channel->send(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,)"
                        R"("message":"initializationOptions.token is missing or wrong"}})");
          patience.expires_after(waitAfterWrongToken);
          return patience.async_wait([&](const asio::error_code &) { leave(1); });
        }
        if (!server) {
          admit();
          patience.cancel();
          channel->allow(MessageReader::mostContent);
        }
        server->receive(message);
      },
      [&](bool) { server ? server->disconnected() : leave(1); });
  if (!server) {
    channel->allow(mostFirstMessage);
    patience.expires_after(timeForToken);
    patience.async_wait([&](const asio::error_code &error) {
      if (!error && !server)
        leave(1);
    });
  }
  channel->start();
  loop.run();
  if (server)
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
  Connections connections;
  const pid_t self = getpid();
  while (true) {
    asio::ip::tcp::socket socket(loop);
    acceptor.accept(socket, error);
    if (error && !passesBy(error))
      return error.message();
    if (error)
      usleep(100000);
    if (error || connections.isFull())
      continue;
    pid_t child = fork();
    if (child > 0)
      connections.add();
    if (child != 0)
      continue;
    prctl(PR_SET_PDEATHSIG, SIGTERM); // nobody is served without the server
    if (getppid() != self)
      _exit(1);
    acceptor.close(error);
    int connection = dup(socket.native_handle());
    socket.close(error);
    _exit(serveClient(connection, connection, options, token));
  }
}

} // namespace cufc
