// Code actions. A client that can ask for edits later gets those of refactorings when it does; the
// action is then made again for the same range.
#include "ide/actions/action.h"
#include "server/answers/answers.h"
#include <algorithm>

namespace cufc {
namespace {

Json workspaceEdit(RequestContext &context,
                   const std::map<std::string, std::vector<TextChange>> &edits) {
  bool versioned = context.server.clientHas("workspace/workspaceEdit/documentChanges");
  Json result = Json::object();
  for (const auto &[path, changes] : edits) {
    Json list = Json::array();
    for (const TextChange &change : changes)
      list.push_back(
          {{"range", context.positions.range(path, change.range)}, {"newText", change.text}});
    std::string uri = context.positions.uri(path);
    if (versioned)
      result["documentChanges"].push_back(
          {{"textDocument", {{"uri", uri}, {"version", context.server.versionOf(path)}}},
           {"edits", std::move(list)}});
    else
      result["changes"][uri] = std::move(list);
  }
  return result;
}

bool editsLater(const Server &server) {
  Json properties = server.clientCapability("textDocument/codeAction/resolveSupport/properties");
  return properties.is_array() && server.clientHas("textDocument/codeAction/dataSupport") &&
         std::find(properties.begin(), properties.end(), "edit") != properties.end();
}

// The client's diagnostics that an action mends: those with the code and a common line.
Json mendedOf(const Json &given, const CodeAction &action,
              const std::vector<Diagnostic> &diagnostics, const SourceFile &file) {
  Json result = Json::array();
  for (const Json &item : given)
    for (size_t number : action.mends) {
      const Diagnostic &mended = diagnostics[number];
      const SourceRange &range = mended.range;
      std::optional<TextRange> now =
          file.now({0, range.line, range.column, range.endLine, range.endColumn});
      if (now && item.value("code", Json()) == mended.code &&
          item.at("range").at("start").at("line") == now->begin.line - 1) {
        result.push_back(item);
        break;
      }
    }
  return result;
}

Json toJson(RequestContext &context, const CodeAction &action, bool withEdit) {
  Json json = {{"title", action.title}, {"kind", action.kind}};
  if (action.preferred)
    json["isPreferred"] = true;
  if (withEdit)
    json["edit"] = workspaceEdit(context, action.edits);
  return json;
}

// Fixes that the client brings back and the analysis does not know, since it is not the one that
// they come from. Only of texts that are as they were.
void addGiven(const Json &given, const SourceFile &file, Json &result) {
  if (!file.edits.empty())
    return;
  for (const Json &item : given) {
    if (!item.contains("data") || !item["data"].is_object() || !item["data"].contains("fixes"))
      continue;
    for (const Json &fix : item["data"]["fixes"]) {
      bool known = std::any_of(result.begin(), result.end(),
                               [&](const Json &a) { return a["title"] == fix.at("title"); });
      if (!known)
        result.push_back({{"title", fix.at("title")},
                          {"kind", "quickfix"},
                          {"diagnostics", {item}},
                          {"edit", fix.at("edit")}});
    }
  }
}

CodeActions actionsAt(RequestContext &context, const SourceFile &file, const Json &range,
                      const std::vector<std::string> &only,
                      const std::vector<Diagnostic> &diagnostics) {
  TextRange at = context.positions.range(file.document, range);
  at.end = std::max(at.begin, at.end);
  return codeActions({context.workspace, file, at, diagnostics}, only);
}

} // namespace

Json answerCodeAction(RequestContext &context) {
  const SourceFile &file = context.file();
  const Json wish = context.params.value("context", Json::object());
  Json given = wish.value("diagnostics", Json::array());
  std::vector<std::string> only;
  if (wish.contains("only") && wish["only"].is_array())
    only = wish["only"].get<std::vector<std::string>>();
  std::vector<Diagnostic> diagnostics = context.server.shownDiagnosticsOf(file);
  const Json &range = context.params.at("range");
  bool later = editsLater(context.server);
  Json result = Json::array();
  for (const CodeAction &action : actionsAt(context, file, range, only, diagnostics)) {
    bool withEdit = !later || action.kind == "quickfix";
    Json json = toJson(context, action, withEdit);
    if (Json mended = mendedOf(given, action, diagnostics, file); !mended.empty())
      json["diagnostics"] = std::move(mended);
    if (!withEdit)
      json["data"] = {{"uri", context.positions.uri(file.path)},
                      {"range", range},
                      {"version", context.server.versionOf(file.path)}};
    result.push_back(std::move(json));
  }
  bool fixesWanted = only.empty() || std::find(only.begin(), only.end(), "quickfix") != only.end();
  if (fixesWanted)
    addGiven(given, file, result);
  return result;
}

Json answerResolveCodeAction(RequestContext &context) {
  Json action = context.params;
  if (action.contains("edit") || !action.contains("data"))
    return action;
  const Json &data = action["data"];
  const SourceFile *file = context.workspace.find(pathOfUri(data.at("uri")));
  if (!file || !file->open || context.server.versionOf(file->path) != data.at("version"))
    throw ResponseError{ErrorCode::ContentModified, "the document has changed since"};
  std::vector<Diagnostic> diagnostics = context.server.shownDiagnosticsOf(*file);
  for (const CodeAction &made :
       actionsAt(context, *file, data.at("range"), {action.at("kind")}, diagnostics))
    if (action.at("title") == made.title)
      action["edit"] = workspaceEdit(context, made.edits);
  return action;
}

} // namespace cufc
