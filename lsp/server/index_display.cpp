// See index_display.h.
#include "server/index_display.h"
#include <algorithm>
#include <fmt/format.h>

namespace cufc {

void IndexDisplay::show(const IndexProgress &progress) {
  if (!client.has("window/workDoneProgress"))
    return;
  if (progress.stage == IndexProgress::Stage::Begun)
    return begin(progress.folder);
  if (progress.stage == IndexProgress::Stage::Ended)
    return end(progress.folder);
  auto token = tokens.find(progress.folder);
  if (token == tokens.end())
    return;
  size_t total = std::max<size_t>(1, progress.sources);
  client.notify("$/progress",
                {{"token", token->second},
                 {"value",
                  {{"kind", "report"},
                   {"message", fmt::format("{}/{}", progress.indexed, total)},
                   {"percentage", std::min<size_t>(100, progress.indexed * 100 / total)}}}});
}

void IndexDisplay::begin(const std::string &folder) {
  end(folder);
  // A token that was used before would be taken for the old one.
  std::string token = fmt::format("cufls/index/{}{}", ++shown, folder);
  tokens[folder] = token;
  client.ask("window/workDoneProgress/create", {{"token", token}}, [](const Json &) {});
  client.notify(
      "$/progress",
      {{"token", token}, {"value", {{"kind", "begin"}, {"title", "Indexing"}, {"percentage", 0}}}});
}

void IndexDisplay::end(const std::string &folder) {
  auto token = tokens.find(folder);
  if (token == tokens.end())
    return;
  client.notify("$/progress", {{"token", token->second}, {"value", {{"kind", "end"}}}});
  tokens.erase(token);
}

} // namespace cufc
