// Serves clients: one on standard input and output, or many on a TCP port.
#ifndef CUFLS_SERVER_SERVE_H
#define CUFLS_SERVER_SERVE_H

#include "host/host_options.h"
#include <functional>
#include <optional>

namespace cufc {

struct ServerOptions {
  HostOptions host;
  std::string logFile; // empty: none
};

// Serves one client; the exit status. A client that is given a token must send it as
// initializationOptions.token in its first message. Closes the descriptors, which may be equal.
int serveClient(int input, int output, const ServerOptions &options, const std::string &token);

// Whether an address can be reached from this machine alone; nothing if it is no address.
std::optional<bool> isLoopback(const std::string &host);

// Listens and serves each connection in a process of its own. `listening` is told the port. Returns
// only if it cannot go on: why.
std::string serveConnections(const std::string &host, unsigned short port, const std::string &token,
                             const ServerOptions &options,
                             const std::function<void(unsigned short)> &listening);

} // namespace cufc
#endif // CUFLS_SERVER_SERVE_H
