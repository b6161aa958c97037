// Diagnostics that the client asks for. Their result id is a hash of what is answered, so that
// nothing is sent again that the client has.
#include "project/content_hash.h"
#include "server/answers/answers.h"

namespace cufc {
namespace {

Json reportOf(RequestContext &context, const SourceFile &file, const Json &previous) {
  Json items = context.server.publisher.diagnosticsOf(file);
  std::string id = contentHash(items.dump()).text();
  if (previous == id)
    return {{"kind", "unchanged"}, {"resultId", id}};
  return {{"kind", "full"}, {"resultId", id}, {"items", std::move(items)}};
}

} // namespace

Json answerDocumentDiagnostics(RequestContext &context) {
  return reportOf(context, context.file(), context.params.value("previousResultId", Json()));
}

Json answerWorkspaceDiagnostics(RequestContext &context) {
  Json previous = Json::object();
  if (context.params.contains("previousResultIds"))
    for (const Json &entry : context.params["previousResultIds"])
      previous[pathOfUri(entry.at("uri"))] = entry.at("value");
  Json items = Json::array();
  for (const auto &[path, file] : context.workspace.files()) {
    if (!file->analysis)
      continue;
    Json report = reportOf(context, *file, previous.value(path, Json()));
    report["uri"] = context.positions.uri(path);
    report["version"] = nullptr;
    items.push_back(std::move(report));
  }
  return {{"items", std::move(items)}};
}

} // namespace cufc
