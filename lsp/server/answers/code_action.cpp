// Code actions. A client that can ask for edits later gets those of refactorings when it does; the
// action is then made again for the same range, which has moved with the line that it begins in,
// and checked (action_check.h). For other clients all refactorings are checked before they are
// offered.
#include "base/source_text.h"
#include "host/action_check.h"
#include "ide/actions/action.h"
#include "server/answers/answers.h"
#include <algorithm>

namespace cufc {
namespace {

Json workspaceEdit(RequestContext &context, const CodeAction &action) {
  const std::map<std::string, std::vector<TextChange>> &edits = action.edits;
  bool versioned = context.client.has("workspace/workspaceEdit/documentChanges");
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
  for (const auto &[from, to] : action.renamed)
    result["documentChanges"].push_back(
        {{"kind", "rename"}, {"oldUri", context.positions.uri(from)}, {"newUri", uriOfPath(to)}});
  return result;
}

bool editsLater(const Client &client) {
  Json properties = client.capability("textDocument/codeAction/resolveSupport/properties");
  return properties.is_array() && client.has("textDocument/codeAction/dataSupport") &&
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
    json["edit"] = workspaceEdit(context, action);
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

// Whether files can be renamed by an edit.
bool renamesFiles(const Client &client) {
  Json kinds = client.capability("workspace/workspaceEdit/resourceOperations");
  return client.has("workspace/workspaceEdit/documentChanges") && kinds.is_array() &&
         std::find(kinds.begin(), kinds.end(), "rename") != kinds.end();
}

CodeActions actionsAt(RequestContext &context, const SourceFile &file, const Json &range,
                      const std::vector<std::string> &only,
                      const std::vector<Diagnostic> &diagnostics) {
  TextRange at = context.positions.range(file.document, range);
  at.end = std::max(at.begin, at.end);
  CodeActions actions = codeActions({context.workspace, file, at, diagnostics}, only);
  if (!renamesFiles(context.client))
    std::erase_if(actions, [](const CodeAction &action) { return !action.renamed.empty(); });
  return actions;
}

bool isRefactoring(const CodeAction &action) { return action.kind.starts_with("refactor"); }

// Answers when all refactorings have been looked at, without those that would not compile.
void answerChecked(RequestContext &context, const SourceFile &file, const Json &result,
                   const CodeActions &actions) {
  std::vector<CodeAction> asked;
  std::vector<size_t> numbers; // of the result
  for (size_t i = 0; i < actions.size(); ++i)
    if (isRefactoring(actions[i])) {
      asked.push_back(actions[i]);
      numbers.push_back(i);
    }
  Client &client = context.client;
  auto done = [&client, id = context.id, result, numbers](const std::vector<std::string> &found) {
    Json kept = Json::array();
    for (size_t i = 0; i < result.size(); ++i) {
      auto number = std::find(numbers.begin(), numbers.end(), i);
      if (number == numbers.end() || found[static_cast<size_t>(number - numbers.begin())].empty())
        kept.push_back(result[i]);
    }
    client.answer(id, kept);
  };
  ActionCheck::start(context.host.parts, file.path, std::move(asked), done);
}

// Where an action was asked for, in the text as it is now: the nearest line that reads as its line
// did. Other actions that were applied in between have moved it.
Json rangeNow(const SourceFile &file, const Json &data) {
  Json range = data.at("range");
  int line = range.at("start").at("line"), last = range.at("end").at("line");
  const std::string text = data.value("line", "");
  for (int away = 0; away < file.document.lineCount(); ++away)
    for (int sign : {1, -1})
      if (int other = line + 1 + sign * away;
          other >= 1 && other <= file.document.lineCount() && file.document.line(other) == text) {
        range["start"]["line"] = other - 1;
        range["end"]["line"] = last + other - 1 - line;
        return range;
      }
  return Json();
}

} // namespace

Json answerCodeAction(RequestContext &context) {
  const SourceFile &file = context.file();
  const Json wish = context.params.value("context", Json::object());
  Json given = wish.value("diagnostics", Json::array());
  std::vector<std::string> only;
  if (wish.contains("only") && wish["only"].is_array())
    only = wish["only"].get<std::vector<std::string>>();
  std::vector<Diagnostic> diagnostics = context.host.diagnosticsOf(file);
  const Json &range = context.params.at("range");
  bool later = editsLater(context.client);
  CodeActions actions = actionsAt(context, file, range, only, diagnostics);
  Json result = Json::array();
  for (const CodeAction &action : actions) {
    bool withEdit = !later || action.kind == "quickfix";
    Json json = toJson(context, action, withEdit);
    if (Json mended = mendedOf(given, action, diagnostics, file); !mended.empty())
      json["diagnostics"] = std::move(mended);
    int line = range.at("start").at("line");
    if (!withEdit)
      json["data"] = {{"uri", context.positions.uri(file.path)},
                      {"range", range},
                      {"line", validText(file.document.line(line + 1))},
                      {"version", context.server.versionOf(file.path)}};
    result.push_back(std::move(json));
  }
  bool fixesWanted = only.empty() || std::find(only.begin(), only.end(), "quickfix") != only.end();
  if (fixesWanted)
    addGiven(given, file, result);
  if (later || std::none_of(actions.begin(), actions.end(), isRefactoring))
    return result;
  answerChecked(context, file, result, actions);
  throw AnsweredLater{};
}

Json answerResolveCodeAction(RequestContext &context) {
  Json action = context.params;
  if (action.contains("edit") || !action.contains("data"))
    return action;
  const Json &data = action["data"];
  const SourceFile *file = context.workspace.find(pathOfUri(data.at("uri")));
  if (!file || !file->open || !file->analysis)
    throw ResponseError{ErrorCode::ContentModified, "the document is not open any more"};
  Json range = context.server.versionOf(file->path) == data.at("version") ? data.at("range")
                                                                          : rangeNow(*file, data);
  std::vector<Diagnostic> diagnostics = context.host.diagnosticsOf(*file);
  CodeActions made;
  if (!range.is_null())
    made = actionsAt(context, *file, range, {action.at("kind")}, diagnostics);
  auto same = std::find_if(made.begin(), made.end(),
                           [&](const CodeAction &one) { return action.at("title") == one.title; });
  if (same == made.end())
    throw ResponseError{ErrorCode::ContentModified,
                        "this is not possible here any more: the text has changed since"};
  action["edit"] = workspaceEdit(context, *same);
  if (!isRefactoring(*same))
    return action;
  Client &client = context.client;
  auto done = [&client, id = context.id, action](const std::vector<std::string> &problems) {
    if (problems[0].empty())
      client.answer(id, action);
    else
      client.fail(id, {ErrorCode::RequestFailed, problems[0]});
  };
  ActionCheck::start(context.host.parts, file->path, {*same}, done);
  throw AnsweredLater{};
}

} // namespace cufc
