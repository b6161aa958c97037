// The progress of indexes, as the client shows it.
#ifndef CUFLS_SERVER_INDEX_DISPLAY_H
#define CUFLS_SERVER_INDEX_DISPLAY_H

#include "host/observer.h"
#include "server/client.h"

namespace cufc {

class IndexDisplay {
public:
  explicit IndexDisplay(Client &client) : client(client) {}
  void show(const IndexProgress &progress);

private:
  void begin(const std::string &folder);
  void end(const std::string &folder);

  Client &client;
  std::map<std::string, std::string> tokens; // of what is shown, by the projects' folders
  int shown = 0;                             // each has a token of its own
};

} // namespace cufc
#endif // CUFLS_SERVER_INDEX_DISPLAY_H
