// The language server as a command: on standard input and output, or on a TCP port.
#ifndef CUFLS_SERVER_SERVE_H
#define CUFLS_SERVER_SERVE_H

#include "commands/commands.h"

namespace cufc {

// Options: --stdio, --listen=HOST:PORT, --token-file=FILE, --log-file=FILE; the exit status.
int serveCommand(const Arguments &arguments);

} // namespace cufc
#endif // CUFLS_SERVER_SERVE_H
