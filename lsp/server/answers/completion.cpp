// Completion. What an item says about itself beyond its label is made when the client asks for it.
#include "ide/completion.h"
#include "server/answers/answers.h"

namespace cufc {
namespace {

// The protocol's CompletionItemKind.
int numberOf(CompletionKind kind) {
  switch (kind) {
  case CompletionKind::Subroutine:
  case CompletionKind::Function:
    return 3;
  case CompletionKind::Kernel:
    return 23; // Event: something that is launched, to tell it from procedures
  case CompletionKind::Variable:
    return 6;
  case CompletionKind::Constant:
    return 21;
  case CompletionKind::Type:
    return 22;
  case CompletionKind::Component:
    return 5;
  case CompletionKind::Binding:
    return 2;
  case CompletionKind::Module:
    return 9;
  case CompletionKind::Argument:
    return 10;
  case CompletionKind::Keyword:
    return 14;
  case CompletionKind::Snippet:
    return 15;
  case CompletionKind::Text:
    return 1;
  }
  return 1;
}

// Items are sorted already: their numbers, all of one length.
std::string sortText(size_t number) {
  std::string digits = std::to_string(number);
  return std::string(4 - std::min<size_t>(4, digits.size()), '0') + digits;
}

Json dataOf(const CompletionItem &item) {
  Json data = Json::object();
  auto add = [&](const char *key, const std::string &value) {
    if (!value.empty())
      data[key] = value;
  };
  add("file", item.file);
  add("name", item.name);
  if (item.symbol >= 0)
    data["symbol"] = item.symbol;
  add("entry", item.entry);
  add("module", item.module);
  return data;
}

} // namespace

Json answerCompletion(RequestContext &context) {
  Query query = context.query();
  const Client &client = context.client;
  bool snippets = client.has("textDocument/completion/completionItem/snippetSupport");
  bool labels = client.has("textDocument/completion/completionItem/labelDetailsSupport");
  bool modes = client.has("textDocument/completion/completionItem/insertTextModeSupport");
  const std::string &path = query.file.path;
  CompletionList list = completions(query, context.server.api(), snippets);
  Json range = context.positions.range(path, list.range), items = Json::array();
  for (const CompletionItem &item : list.items) {
    Json json = {{"label", item.label},
                 {"kind", numberOf(item.kind)},
                 {"sortText", sortText(items.size())},
                 {"textEdit", {{"range", range}, {"newText", item.insert}}}};
    if (!item.filter.empty())
      json["filterText"] = item.filter;
    if (item.snippet)
      json["insertTextFormat"] = 2;
    if (item.kind == CompletionKind::Snippet && modes)
      json["insertTextMode"] = 2; // the indentation of the line
    if (!item.origin.empty() && labels)
      json["labelDetails"] = {{"description", item.origin}};
    for (const TextChange &edit : item.others)
      json["additionalTextEdits"].push_back(
          {{"range", context.positions.range(path, edit.range)}, {"newText", edit.text}});
    if (Json data = dataOf(item); !data.empty())
      json["data"] = std::move(data);
    items.push_back(std::move(json));
  }
  return {{"isIncomplete", list.incomplete}, {"items", std::move(items)}};
}

Json answerCompletionResolve(RequestContext &context) {
  Json json = context.params;
  const Json data = json.value("data", Json::object());
  auto text = [&](const char *key) { return data.value(key, std::string()); };
  CompletionItem item;
  item.file = text("file");
  item.name = text("name");
  item.symbol = data.value("symbol", -1);
  item.entry = text("entry");
  item.module = text("module");
  CompletionDetails details = completionDetails(context.workspace, context.server.api(), item);
  if (!details.declaration.empty())
    json["detail"] = details.declaration;
  if (!details.documentation.empty())
    json["documentation"] = {{"kind", "markdown"}, {"value", details.documentation}};
  return json;
}

} // namespace cufc
