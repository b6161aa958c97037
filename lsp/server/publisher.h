// The diagnostics that the client is shown: pushed, or, of open files, asked for by it.
#ifndef CUFLS_SERVER_PUBLISHER_H
#define CUFLS_SERVER_PUBLISHER_H

#include "index/workspace.h"
#include "server/protocol.h"
#include <set>

namespace cufc {

class Server;

class Publisher {
public:
  explicit Publisher(Server &server) : server(server) {}

  // Sends the diagnostics of a file to the client, unless it asks for those of open files itself.
  void publish(const std::string &path);
  // The mistakes in a project's file.
  void publishMistakes(const std::string &file, const std::vector<Diagnostic> &mistakes);
  // What was said of a file is taken back; of all files that the host does not know any more.
  void withdraw(const std::string &path);
  void withdrawUnknown();

  // All that is to be said of a file, also by builds.
  Json diagnosticsOf(const SourceFile &file) const;

private:
  std::string explanationPages() const;

  Server &server;
  std::set<std::string> published; // files with diagnostics at the client
};

} // namespace cufc
#endif // CUFLS_SERVER_PUBLISHER_H
