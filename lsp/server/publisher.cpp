// See publisher.h.
#include "server/publisher.h"
#include "server/diagnostics_json.h"
#include "server/server.h"
#include <algorithm>

namespace cufc {
namespace {

bool isOfRun(const Diagnostic &problem) {
  const DiagnosticInfo *row = findDiagnostic(problem.code);
  return row && std::string_view(row->group) == "run";
}

// A build says much of what the analysis has said already.
void addProblems(Json &list, const std::vector<Diagnostic> &problems, const std::string &path,
                 Positions &texts) {
  for (const Diagnostic &problem : problems) {
    Json json = toJson(problem, path, "", texts);
    bool known = std::any_of(list.begin(), list.end(), [&](const Json &other) {
      return other["message"] == json["message"] &&
             other["range"]["start"]["line"] == json["range"]["start"]["line"];
    });
    json["source"] = isOfRun(problem) ? "cufls run" : "cufls build";
    if (!known)
      list.push_back(std::move(json));
  }
}

} // namespace

// The folder with a page for each code.
std::string Publisher::explanationPages() const {
  return server.host.projects.checkOptions().installation.libraries + "/diagnostics";
}

Json Publisher::diagnosticsOf(const SourceFile &file) const {
  Positions texts = server.positions();
  Json list = Json::array();
  for (const Diagnostic &diagnostic : server.host.diagnosticsToShow(file))
    if (diagnostic.range.file.empty() || diagnostic.range.file == file.path)
      list.push_back(toJson(diagnostic, file.path, explanationPages(), texts));
  addProblems(list, server.host.tasks.problemsOf(file.path), file.path, texts);
  return list;
}

void Publisher::publish(const std::string &path) {
  const SourceFile &file = server.host.workspace.file(path);
  if (file.open && server.client.pulls())
    return server.scheduleRefresh();
  Json list = diagnosticsOf(file);
  if (list.empty() && !file.open && !published.contains(path))
    return;
  Json params = {{"uri", server.positions().uri(path)}, {"diagnostics", std::move(list)}};
  if (Json version = server.versionOf(path); !version.is_null())
    params["version"] = std::move(version);
  published.insert(path);
  server.client.notify("textDocument/publishDiagnostics", std::move(params));
}

void Publisher::publishMistakes(const std::string &file, const std::vector<Diagnostic> &mistakes) {
  Positions texts = server.positions();
  Json list = Json::array();
  for (const Diagnostic &mistake : mistakes)
    list.push_back(toJson(mistake, file, explanationPages(), texts));
  if (list.empty() && !published.contains(file))
    return;
  published.insert(file);
  server.client.notify("textDocument/publishDiagnostics",
                       {{"uri", texts.uri(file)}, {"diagnostics", std::move(list)}});
}

void Publisher::withdraw(const std::string &path) {
  if (published.erase(path) != 0)
    server.client.notify("textDocument/publishDiagnostics",
                         {{"uri", server.positions().uri(path)}, {"diagnostics", Json::array()}});
}

void Publisher::withdrawUnknown() {
  for (const std::string &path : std::set(published))
    if (!server.host.knows(path)) {
      server.host.forget(path);
      withdraw(path);
    }
}

} // namespace cufc
