// Lines that the preprocessor leaves out, told to clients that dim them: in clangd's form to those
// that know that, as cufls/inactiveRegions to those that ask for it among experimental
// capabilities.
#include "host/texts.h"
#include "server/server.h"
#include "tables/protocol_messages.h"

namespace cufc {

void Server::sendInactiveRegions(const SourceFile &file) {
  const char *method = client.has("textDocument/inactiveRegionsCapabilities/inactiveRegions")
                           ? "textDocument/inactiveRegions"
                       : client.has("experimental/inactiveRegions")
                           ? protocol::method::inactiveRegions
                           : nullptr;
  if (!method || !file.open)
    return;
  std::vector<LineRange> regions =
      conditionsOf(file.document, file.path, file.reading, textReader(host.workspace)).inactive;
  auto [known, isNew] = inactive.try_emplace(file.path);
  if (known->second == regions)
    return; // nothing at first means that nothing is left out
  Positions positions = this->positions();
  protocol::InactiveRegions message{{{"uri", positions.uri(file.path)}}, {}};
  for (const LineRange &lines : regions) {
    int end = static_cast<int>(file.document.line(lines.last).size()) + 1;
    message.regions.push_back(positions.range(file.path, {{lines.first, 1}, {lines.last, end}}));
  }
  known->second = std::move(regions);
  client.notify(method, message);
}

} // namespace cufc
