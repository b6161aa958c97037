// `cufls` without a command: the language server, on standard input and output or a TCP port.
#include "server/serve.h"
#include "base/diag.h"
#include "base/files.h"
#include "commands/caches.h"
#include "commands/command_line.h"
#include "driver/frontend_options.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
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
  result.host.cacheFolder = cacheFolder("analyses");
  result.logFile = line.value("--log-file");
  result.host.check.installation = findInstallation(diagnostics);
  result.host.check.toolkit = findToolkit();
  result.host.check.version = compilerIdentity(result.host.check.installation);
  Options options;
  result.host.defaults = frontendOptions(options, result.host.check.installation, "",
                                         {FileKind::Fortran, false, true, false}, "");
  return result;
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

struct Endpoint {
  std::string host;
  unsigned short port;
};

std::optional<Endpoint> endpointOf(const CommandLine &line, Diagnostics &diagnostics) {
  std::string where = line.value("--listen");
  size_t colon = where.rfind(':');
  std::string host = where.substr(0, colon);
  std::string port = colon == std::string::npos ? "" : where.substr(colon + 1);
  if (host.size() > 1 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  std::optional<bool> loopback = isLoopback(host);
  bool numeric = !port.empty() && port.size() <= 5 &&
                 port.find_first_not_of("0123456789") == std::string::npos &&
                 std::stoi(port) <= 65535;
  if (!loopback || !numeric) {
    diagnostics.report(Diag::CannotListen, {}, where, "HOST:PORT is expected, with an address");
    return std::nullopt;
  }
  if (!*loopback && !line.has("--allow-remote")) {
    diagnostics.report(Diag::NotLoopback, {}, where);
    return std::nullopt;
  }
  return Endpoint{host, static_cast<unsigned short>(std::stoi(port))};
}

int listenFor(const CommandLine &line, const ServerOptions &options, Diagnostics &diagnostics) {
  if (!line.has("--token-file")) {
    diagnostics.report(Diag::ListenWithoutToken, {});
    return exitFailed;
  }
  std::optional<Endpoint> endpoint = endpointOf(line, diagnostics);
  std::string token = endpoint ? readToken(line.value("--token-file"), diagnostics) : "";
  if (!endpoint || token.empty())
    return exitFailed;
  std::string error =
      serveConnections(endpoint->host, endpoint->port, token, options, [&](unsigned short port) {
        fmt::print("listening on {}:{}\n", endpoint->host, port);
        std::fflush(stdout);
      });
  diagnostics.report(Diag::CannotListen, {}, line.value("--listen"), error);
  return exitFailed;
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
                                  : serveClient(STDIN_FILENO, STDOUT_FILENO, options, "");
  diagnostics.flush();
  return status;
}

} // namespace cufc
