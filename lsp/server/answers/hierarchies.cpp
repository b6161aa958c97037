// Trees of calls and of types. An item carries what finds its symbol again.
#include "ide/call_hierarchy.h"
#include "ide/type_hierarchy.h"
#include "server/answers/answers.h"
#include "server/answers/symbol_json.h"

namespace cufc {
namespace {

Json itemJson(RequestContext &context, const HierarchyItem &item) {
  const Target &target = item.target;
  Json json = {{"name", item.name},
               {"kind", protocolKind(item.kind, item.name)},
               {"uri", context.positions.uri(target.name.path)},
               {"range", context.positions.range(target.name.path, target.whole)},
               {"selectionRange", context.positions.range(target.name.path, target.name.range)},
               {"data", {{"path", item.path}, {"key", item.key}}}};
  if (!item.detail.empty())
    json["detail"] = item.detail;
  return json;
}

Json itemsJson(RequestContext &context, const std::vector<HierarchyItem> &items) {
  if (items.empty())
    return nullptr;
  Json result = Json::array();
  for (const HierarchyItem &item : items)
    result.push_back(itemJson(context, item));
  return result;
}

using Follow = std::vector<HierarchyItem> (*)(const Workspace &, const std::string &,
                                              const std::string &);
using FollowCalls = std::vector<HierarchyCall> (*)(const Workspace &, const std::string &,
                                                   const std::string &);

Json follow(RequestContext &context, Follow next) {
  const Json &data = context.params.at("item").at("data");
  return itemsJson(context, next(context.workspace, data.at("path"), data.at("key")));
}

// Places are in the file of the caller: of incoming calls that of each item.
Json followCalls(RequestContext &context, FollowCalls next, const char *name, bool incoming) {
  const Json &data = context.params.at("item").at("data");
  Json result = Json::array();
  for (const HierarchyCall &call : next(context.workspace, data.at("path"), data.at("key"))) {
    std::string file = incoming ? call.item.path : data.at("path").get<std::string>();
    Json ranges = Json::array();
    for (const TextRange &place : call.places)
      ranges.push_back(context.positions.range(file, place));
    result.push_back({{name, itemJson(context, call.item)}, {"fromRanges", std::move(ranges)}});
  }
  return result;
}

} // namespace

Json answerPrepareCallHierarchy(RequestContext &context) {
  return itemsJson(context, prepareCalls(context.query()));
}
Json answerIncomingCalls(RequestContext &context) {
  return followCalls(context, incomingCalls, "from", true);
}
Json answerOutgoingCalls(RequestContext &context) {
  return followCalls(context, outgoingCalls, "to", false);
}
Json answerPrepareTypeHierarchy(RequestContext &context) {
  return itemsJson(context, prepareTypes(context.query()));
}
Json answerSupertypes(RequestContext &context) { return follow(context, supertypes); }
Json answerSubtypes(RequestContext &context) { return follow(context, subtypes); }

} // namespace cufc
