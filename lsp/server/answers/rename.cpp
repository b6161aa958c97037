// Renaming: the places come from ide/rename.h, here they become a WorkspaceEdit.
#include "ide/rename.h"
#include "server/answers/answers.h"

namespace cufc {
namespace {

[[noreturn]] void refuse(const std::string &reason) {
  throw ResponseError{ErrorCode::RequestFailed, reason};
}

TextOf textsOf(RequestContext &context) {
  return [&context](const std::string &path) -> const Document & {
    return context.positions.document(path);
  };
}

// Whether every file of a project is known, so that no place of a name is missed.
bool isIndexed(RequestContext &context, const std::string &path) {
  for (const ProjectSource &source : context.host.projects.of(path).project.sources)
    if (const SourceFile *file = context.workspace.find(source.path); !file || !file->analysis)
      return false;
  return true;
}

// Changes of documents with the versions that they are for, if the client knows these.
Json workspaceEdit(RequestContext &context, const RenameAnswer &answer) {
  constexpr const char *annotation = "confirm";
  bool versioned = context.client.has("workspace/workspaceEdit/documentChanges");
  Json changes = Json::object(), documents = Json::array();
  for (const auto &[path, list] : answer.edits) {
    Json edits = Json::array();
    for (const NewText &edit : list) {
      Json json = {{"range", context.positions.range(path, edit.range)}, {"newText", edit.text}};
      if (!answer.warning.empty())
        json["annotationId"] = annotation;
      edits.push_back(std::move(json));
    }
    std::string uri = context.positions.uri(path);
    if (versioned)
      documents.push_back(
          {{"textDocument", {{"uri", uri}, {"version", context.server.versionOf(path)}}},
           {"edits", std::move(edits)}});
    else
      changes[uri] = std::move(edits);
  }
  if (!versioned)
    return {{"changes", std::move(changes)}};
  Json edit = {{"documentChanges", std::move(documents)}};
  if (!answer.warning.empty())
    edit["changeAnnotations"] = {
        {annotation, {{"label", answer.warning}, {"needsConfirmation", true}}}};
  return edit;
}

} // namespace

Json answerPrepareRename(RequestContext &context) {
  Query query = context.query();
  std::optional<RenameStart> start = prepareRename(query, textsOf(context));
  if (!start)
    return nullptr;
  if (!start->refusal.empty())
    refuse(start->refusal);
  return {{"range", context.positions.range(query.file.path, start->range)},
          {"placeholder", query.document().slice(start->range)}};
}

Json answerRename(RequestContext &context) {
  Query query = context.query();
  if (renamesAcrossFiles(query) && !isIndexed(context, query.file.path))
    refuse("the files of the project are still being read; try again in a moment");
  bool mayWarn = context.client.has("workspace/workspaceEdit/documentChanges") &&
                 context.client.has("workspace/workspaceEdit/changeAnnotationSupport");
  RenameAnswer answer =
      rename(query, context.params.at("newName"), textsOf(context), context.server.api(), mayWarn);
  if (!answer.refusal.empty())
    refuse(answer.refusal);
  return workspaceEdit(context, answer);
}

} // namespace cufc
