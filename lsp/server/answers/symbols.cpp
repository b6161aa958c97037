// Symbols of a document and of the workspace.
#include "ide/document_symbols.h"
#include "ide/workspace_symbols.h"
#include "server/answers/answers.h"
#include "server/answers/symbol_json.h"

namespace cufc {
namespace {

constexpr size_t mostWorkspaceSymbols = 512;
constexpr size_t partialSize = 128;

Json hierarchical(RequestContext &context, const std::string &path,
                  const std::vector<OutlineEntry> &list) {
  Json result = Json::array();
  for (const OutlineEntry &entry : list) {
    Json item = {{"name", entry.name},
                 {"kind", protocolKind(entry.kind, entry.name)},
                 {"range", context.positions.range(path, entry.whole)},
                 {"selectionRange", context.positions.range(path, entry.selection)}};
    if (!entry.detail.empty())
      item["detail"] = entry.detail;
    if (!entry.children.empty())
      item["children"] = hierarchical(context, path, entry.children);
    result.push_back(std::move(item));
  }
  return result;
}

void flat(RequestContext &context, const std::string &path, const std::string &container,
          const std::vector<OutlineEntry> &list, Json &result) {
  for (const OutlineEntry &entry : list) {
    Json item = {{"name", entry.name},
                 {"kind", protocolKind(entry.kind, entry.name)},
                 {"location", context.positions.location({path, entry.whole})}};
    if (!container.empty())
      item["containerName"] = container;
    result.push_back(std::move(item));
    flat(context, path, entry.name, entry.children, result);
  }
}

} // namespace

Json sendPartially(RequestContext &context, Json list) {
  auto token = context.params.find("partialResultToken");
  if (token == context.params.end() || token->is_null() || list.size() <= partialSize)
    return list;
  for (size_t begin = 0; begin < list.size(); begin += partialSize) {
    auto first = list.begin() + static_cast<long>(begin);
    auto last = list.begin() + static_cast<long>(std::min(begin + partialSize, list.size()));
    context.client.notify("$/progress",
                          {{"token", *token}, {"value", Json(Json::array_t(first, last))}});
  }
  return Json::array();
}

Json answerDocumentSymbol(RequestContext &context) {
  const SourceFile &file = context.file();
  std::vector<OutlineEntry> outline = documentSymbols(file);
  if (context.client.has("textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"))
    return hierarchical(context, file.path, outline);
  Json result = Json::array();
  flat(context, file.path, "", outline, result);
  return result;
}

Json answerWorkspaceSymbol(RequestContext &context) {
  std::string pattern = context.params.at("query");
  Json result = Json::array();
  for (const NamedPlace &place :
       workspaceSymbols(context.workspace, pattern, mostWorkspaceSymbols)) {
    Json item = {{"name", place.name},
                 {"kind", protocolKind(place.kind, place.name)},
                 {"location", context.positions.location(place.location)}};
    if (!place.container.empty())
      item["containerName"] = place.container;
    result.push_back(std::move(item));
  }
  return sendPartially(context, std::move(result));
}

} // namespace cufc
