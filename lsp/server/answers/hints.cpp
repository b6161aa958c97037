// Inlay hints and code lenses.
#include "ide/code_lenses.h"
#include "ide/inlay_hints.h"
#include "ide/kernel_texts.h"
#include "server/answers/answers.h"

namespace cufc {
namespace {

// A setting that is on unless the client has turned it off.
bool isOn(RequestContext &context, const char *name) {
  return context.server.setting(name) != Json(false);
}

Json toJson(RequestContext &context, const Query &query, const InlayHint &hint) {
  constexpr int type = 1, parameter = 2; // the protocol's InlayHintKind
  bool before = hint.kind == HintKind::ArgumentName;
  bool apart = hint.kind == HintKind::Launch || hint.kind == HintKind::BlockEnd ||
               hint.kind == HintKind::Memory;
  Json item = {{"position", context.positions.position(query.file.path, hint.position)},
               {"label", hint.label},
               {"paddingLeft", apart},
               {"paddingRight", before}};
  if (before)
    item["kind"] = parameter;
  else if (hint.kind == HintKind::ImplicitType)
    item["kind"] = type;
  if (!hint.tooltip.empty())
    item["tooltip"] = hint.tooltip;
  return item;
}

Json command(const char *title, const char *name, Json argument) {
  return {{"title", title}, {"command", name}, {"arguments", {std::move(argument)}}};
}

Json commandOf(LensKind kind, const std::string &uri) {
  switch (kind) {
  case LensKind::Run:
    return command("Run", "cufls.run", {{"uri", uri}});
  case LensKind::RunOnCpu:
    return command("Run on CPU", "cufls.run", {{"uri", uri}, {"device", "host"}});
  case LensKind::Build:
    return command("Build", "cufls.build", {{"uri", uri}});
  case LensKind::References:
  case LensKind::Launches:
    break;
  }
  return nullptr;
}

Json costLens(RequestContext &context, const Query &query, const TextRange &place,
              const std::string &title) {
  Json range = context.positions.range(query.file.path, place);
  return {{"range", range},
          {"command",
           {{"title", title},
            {"command", "cufls.showOccupancy"},
            {"arguments", {context.positions.uri(query.file.path), range.at("start")}}}}};
}

// Above each kernel: what it costs, and the way to the panel with all of it. Without a toolkit,
// that it is missing.
void addCostLenses(RequestContext &context, const Query &query, Json &result) {
  CostView costs = context.host.costs.view(query.file.path);
  if (costs.noAssembler && query.file.analysis)
    for (const KernelInfo &kernel : query.file.analysis->kernels)
      if (kernel.symbol >= 0)
        if (std::optional<TextRange> now = query.file.now(
                query.file.analysis->symbols[static_cast<size_t>(kernel.symbol)].declared))
          result.push_back(
              costLens(context, query, *now, "registers not known: ptxas was not found"));
  for (const KernelReport &kernel : costs.kernels) {
    if (kernel.file != query.file.path || !kernel.known() || kernel.generated)
      continue;
    std::optional<TextRange> now = query.file.now(kernel.nameplace);
    if (!now)
      continue;
    result.push_back(costLens(context, query, *now, costTitle(kernel, costs.of)));
  }
}

} // namespace

Json answerInlayHints(RequestContext &context) {
  Query query{context.workspace, context.file(), {}};
  TextRange range = context.positions.range(query.document(), context.params.at("range"));
  HintChoice choice{isOn(context, "inlayHints.argumentNames"),
                    isOn(context, "inlayHints.implicitTypes"), isOn(context, "inlayHints.memory"),
                    isOn(context, "inlayHints.launches"), isOn(context, "inlayHints.blockEnds")};
  CostView costs = context.host.costs.view(query.file.path);
  Json result = Json::array();
  for (const InlayHint &hint : inlayHints(query, range, choice))
    result.push_back(toJson(context, query, hint));
  if (isOn(context, "inlayHints.occupancy"))
    for (const InlayHint &hint : costHints(query, range, costs.kernels, costs.of))
      result.push_back(toJson(context, query, hint));
  return result;
}

Json answerCodeLenses(RequestContext &context) {
  Query query{context.workspace, context.file(), {}};
  LensChoice choice{isOn(context, "codeLens.run"), isOn(context, "codeLens.references"),
                    isOn(context, "codeLens.launches")};
  std::string uri = context.positions.uri(query.file.path);
  Json result = Json::array();
  for (const CodeLens &lens : codeLenses(query, choice)) {
    Json item = {{"range", context.positions.range(query.file.path, lens.range)}};
    if (Json command = commandOf(lens.kind, uri); !command.is_null())
      item["command"] = std::move(command);
    else
      item["data"] = {{"uri", uri}, {"launches", lens.kind == LensKind::Launches}};
    result.push_back(std::move(item));
  }
  if (isOn(context, "codeLens.occupancy"))
    addCostLenses(context, query, result);
  if (isOn(context, "codeLens.times"))
    addTimeLenses(context, query, result);
  return result;
}

// The lens comes back as it was sent.
Json resolveCodeLens(RequestContext &context) {
  Json lens = context.params;
  if (!lens.contains("data"))
    return lens;
  const std::string uri = lens["data"].at("uri");
  bool launches = lens["data"].at("launches");
  const SourceFile *file = context.workspace.find(pathOfUri(uri));
  if (!file || !file->open)
    throw ResponseError{ErrorCode::InvalidParams, "the document is not open: " + uri};
  const Json &position = lens.at("range").at("start");
  Query query{context.workspace, *file, context.positions.position(file->document, position)};
  Json places = Json::array();
  for (const Location &place :
       countedPlaces(query, launches ? LensKind::Launches : LensKind::References))
    places.push_back(context.positions.location(place));
  std::string title = std::to_string(places.size()) + (launches ? " launch" : " reference") +
                      (places.size() == 1 ? ""
                       : launches         ? "es"
                                          : "s");
  lens["command"] = {{"title", title},
                     {"command", "cufls.showReferences"},
                     {"arguments", {uri, position, std::move(places)}}};
  return lens;
}

} // namespace cufc
