// What follows from the form of a text: folds, selections, linked names, links.
#include "host/texts.h"
#include "ide/document_links.h"
#include "ide/folding.h"
#include "ide/selection.h"
#include "server/answers/answers.h"

namespace cufc {
namespace {

Query wholeFile(RequestContext &context) { return {context.workspace, context.file(), {}}; }

const char *nameOf(FoldKind kind) {
  switch (kind) {
  case FoldKind::Comment:
    return "comment";
  case FoldKind::Imports:
    return "imports";
  case FoldKind::Region:
    return "region";
  case FoldKind::Code:
    break;
  }
  return nullptr;
}

} // namespace

Json answerFoldingRanges(RequestContext &context) {
  Query query = wholeFile(context);
  bool linesOnly = context.client.has("textDocument/foldingRange/lineFoldingOnly");
  Json limit = context.client.capability("textDocument/foldingRange/rangeLimit");
  size_t most = limit.is_number_unsigned() ? limit.get<size_t>() : SIZE_MAX;
  Json result = Json::array();
  int lastLine = 0;
  for (const Fold &fold : foldingRanges(query, linesOnly, textReader(context.workspace))) {
    if (result.size() >= most)
      break;
    // A client that folds lines has room for one fold at each.
    if (linesOnly && fold.range.begin.line == lastLine)
      continue;
    lastLine = fold.range.begin.line;
    Json item = {{"startLine", fold.range.begin.line - 1}, {"endLine", fold.range.end.line - 1}};
    if (!linesOnly) {
      Json range = context.positions.range(query.file.path, fold.range);
      item["startCharacter"] = range["start"]["character"];
      item["endCharacter"] = range["end"]["character"];
    }
    if (const char *kind = nameOf(fold.kind))
      item["kind"] = kind;
    result.push_back(std::move(item));
  }
  return result;
}

Json answerSelectionRanges(RequestContext &context) {
  Query query = wholeFile(context);
  std::vector<TextPosition> positions;
  for (const Json &position : context.params.at("positions"))
    positions.push_back(context.positions.position(query.document(), position));
  Json result = Json::array();
  for (const std::vector<TextRange> &chain : selectionRanges(query, positions)) {
    Json inner = nullptr;
    for (size_t i = chain.size(); i-- > 0;) {
      Json range = {{"range", context.positions.range(query.file.path, chain[i])}};
      if (!inner.is_null())
        range["parent"] = std::move(inner);
      inner = std::move(range);
    }
    result.push_back(std::move(inner));
  }
  return result;
}

Json answerLinkedEditingRanges(RequestContext &context) {
  Query query = context.query();
  std::vector<TextRange> names = linkedNames(query);
  if (names.empty())
    return nullptr;
  Json ranges = Json::array();
  for (const TextRange &name : names)
    ranges.push_back(context.positions.range(query.file.path, name));
  return {{"ranges", std::move(ranges)}, {"wordPattern", "[A-Za-z][A-Za-z0-9_]*"}};
}

Json answerDocumentLinks(RequestContext &context) {
  Query query = wholeFile(context);
  Json result = Json::array();
  for (const DocumentLink &link : documentLinks(query, textReader(context.workspace)))
    result.push_back({{"range", context.positions.range(query.file.path, link.range)},
                      {"target", context.positions.uri(link.target)},
                      {"tooltip", link.tooltip}});
  return result;
}

} // namespace cufc
