// Each TCP connection is served by a process of its own, so clients share nothing but the caches
// and cannot disturb each other.
#include "server/serve.h"
#include "base/diag.h"
#include "commands/caches.h"
#include "commands/command_line.h"
#include "driver/frontend_options.h"
#include "server/channel.h"
#include "server/server.h"
#include <asio/ip/tcp.hpp>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cufc {
namespace {

const std::vector<CommandOption> &serveOptions() {
  static const std::vector<CommandOption> options = {
      {"--stdio", "", "serve one client on standard input and output (the default)"},
      {"--listen", "HOST:PORT", "serve clients on a TCP port; port 0 takes a free one"},
      {"--token-file", "FILE", "the secret that clients on TCP must send; made if it is not there"},
      {"--allow-remote", "", "let --listen take addresses that other machines can reach"},
      {"--log-file", "FILE", "what is received and done, at most 4 MB and as much of before"},
  };
  return options;
}

ServerOptions serverOptions(const CommandLine &line, Diagnostics &diagnostics) {
  ServerOptions result;
  result.logFile = line.value("--log-file");
  result.check.installation = findInstallation(diagnostics);
  result.check.toolkit = findToolkit();
  result.check.version = compilerIdentity(result.check.installation);
  Options options;
  result.defaults = frontendOptions(options, result.check.installation, "",
                                    {FileKind::Fortran, false, true, false}, "");
  return result;
}

// Serves one client; the exit status. With a token, the client's first message must hold it.
int serve(int input, int output, const ServerOptions &options, const std::string &token) {
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
        server.log.write("-> " + text);
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
  return status;
}

std::string newToken() {
  unsigned char bytes[24];
  if (getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes))
    return {};
  std::string text;
  for (unsigned char byte : bytes)
    text += fmt::format("{:02x}", byte);
  return text;
}

// The token of a file, which is made if it is not there. Empty after a mistake, which is reported.
std::string readToken(const std::string &path, Diagnostics &diagnostics) {
  if (access(path.c_str(), F_OK) != 0) {
    std::string token = newToken();
    int file = open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR);
    bool written = file >= 0 && write(file, (token + "\n").data(), token.size() + 1) ==
                                    static_cast<ssize_t>(token.size() + 1);
    if (!written)
      diagnostics.report(Diag::TokenFile, {}, path, std::strerror(errno));
    if (file >= 0)
      close(file);
    return written ? token : "";
  }
  struct stat state{};
  std::string token;
  if (stat(path.c_str(), &state) != 0 || !readFile(path, token)) {
    diagnostics.report(Diag::TokenFile, {}, path, std::strerror(errno));
    return {};
  }
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r'))
    token.pop_back();
  bool shared = (state.st_mode & (S_IRGRP | S_IROTH | S_IWGRP | S_IWOTH)) != 0;
  if (shared || token.empty()) {
    diagnostics.report(Diag::TokenFile, {}, path,
                       shared ? "others can read or write it" : "it is empty");
    return {};
  }
  return token;
}

std::optional<asio::ip::tcp::endpoint> endpointOf(const std::string &where, bool remote,
                                                  Diagnostics &diagnostics) {
  size_t colon = where.rfind(':');
  std::string host = where.substr(0, colon),
              port = colon == std::string::npos ? "" : where.substr(colon + 1);
  if (host.size() > 1 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  asio::error_code error;
  auto address = asio::ip::make_address(host == "localhost" ? "127.0.0.1" : host, error);
  bool numeric = !port.empty() && port.size() <= 5 &&
                 port.find_first_not_of("0123456789") == std::string::npos &&
                 std::stoi(port) <= 65535;
  if (error || !numeric) {
    diagnostics.report(Diag::CannotListen, {}, where, "HOST:PORT is expected");
    return std::nullopt;
  }
  if (!address.is_loopback() && !remote) {
    diagnostics.report(Diag::NotLoopback, {}, where);
    return std::nullopt;
  }
  return asio::ip::tcp::endpoint(address, static_cast<unsigned short>(std::stoi(port)));
}

int listenFor(const CommandLine &line, const ServerOptions &options, Diagnostics &diagnostics) {
  if (!line.has("--token-file")) {
    diagnostics.report(Diag::ListenWithoutToken, {});
    return exitFailed;
  }
  std::string where = line.value("--listen");
  auto endpoint = endpointOf(where, line.has("--allow-remote"), diagnostics);
  std::string token = readToken(line.value("--token-file"), diagnostics);
  if (!endpoint || token.empty())
    return exitFailed;
  asio::io_context loop;
  asio::ip::tcp::acceptor acceptor(loop);
  asio::error_code error;
  acceptor.open(endpoint->protocol(), error);
  acceptor.set_option(asio::socket_base::reuse_address(true), error);
  acceptor.bind(*endpoint, error);
  if (!error)
    acceptor.listen(8, error);
  if (error) {
    diagnostics.report(Diag::CannotListen, {}, where, error.message());
    return exitFailed;
  }
  fmt::print("listening on {}:{}\n", endpoint->address().to_string(),
             acceptor.local_endpoint().port());
  std::fflush(stdout);
  signal(SIGCHLD, SIG_IGN); // connections end by themselves
  while (true) {
    asio::ip::tcp::socket socket(loop);
    acceptor.accept(socket, error);
    if (error)
      return exitFailed;
    if (fork() != 0)
      continue;
    signal(SIGCHLD, SIG_DFL);
    acceptor.close(error);
    int connection = dup(socket.native_handle());
    socket.close(error);
    _exit(serve(connection, connection, options, token));
  }
}

} // namespace

int serveCommand(const Arguments &arguments) {
  if (std::find(arguments.begin(), arguments.end(), "--help") != arguments.end())
    return printHelp("cufls [--stdio | --listen=HOST:PORT --token-file=FILE]",
                     "The language server.", serveOptions());
  Diagnostics diagnostics;
  CommandLine line = parseCommandLine(arguments, serveOptions(), diagnostics);
  ServerOptions options = serverOptions(line, diagnostics);
  int status = exitFailed;
  if (!diagnostics.hasErrors())
    status = line.has("--listen") ? listenFor(line, options, diagnostics)
                                  : serve(STDIN_FILENO, STDOUT_FILENO, options, "");
  diagnostics.flush();
  return status;
}

} // namespace cufc
