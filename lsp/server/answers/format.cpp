// Formatting: options come with the request and from the settings cufls.format.*
#include "ide/format.h"
#include "server/answers/answers.h"
#include <algorithm>

namespace cufc {
namespace {

bool flag(const Json &value, bool otherwise) {
  return value.is_boolean() ? value.get<bool>() : otherwise;
}

int number(const Json &value, int otherwise, int least, int most) {
  return value.is_number_integer() ? std::clamp(value.get<int>(), least, most) : otherwise;
}

FormatOptions optionsOf(RequestContext &context) {
  const Json &given = context.params.at("options");
  const Server &server = context.server;
  FormatOptions options;
  options.tabSize = number(given.value("tabSize", Json()), 2, 1, 16);
  options.step = number(server.setting("format.indent"), options.tabSize, 0, 16);
  options.insertSpaces = flag(given.value("insertSpaces", Json()), true);
  options.trimTrailingBlanks = flag(given.value("trimTrailingWhitespace", Json()), true);
  options.insertFinalNewline = flag(given.value("insertFinalNewline", Json()), false);
  options.trimFinalNewlines = flag(given.value("trimFinalNewlines", Json()), false);
  options.mostBlankLines = number(server.setting("format.maxBlankLines"), 2, 0, 1000);
  options.layout.moduleBody = flag(server.setting("format.indentUnits"), true);
  options.layout.containsBody = flag(server.setting("format.indentContains"), true);
  options.layout.caseBranches = flag(server.setting("format.indentCase"), false);
  options.spacing.operators = flag(server.setting("format.operators"), true);
  Json keywords = server.setting("format.keywordCase");
  options.spacing.keywords = keywords == "lower"   ? KeywordCase::Lower
                             : keywords == "upper" ? KeywordCase::Upper
                                                   : KeywordCase::Keep;
  return options;
}

Json editsOf(RequestContext &context, const SourceFile &file,
             const std::vector<TextChange> &edits) {
  // There may be one for each line: made in place, since lists of values would be copied.
  Json result = Json::array();
  for (const TextChange &edit : edits) {
    Json &json = result.emplace_back(Json::object());
    json["newText"] = edit.text;
    Json &range = json["range"];
    for (auto [name, position] :
         {std::pair("start", edit.range.begin), std::pair("end", edit.range.end)}) {
      Json &place = range[name];
      place["line"] = position.line - 1;
      place["character"] = file.document.unitsBefore(position, context.positions.unit());
    }
  }
  return result;
}

} // namespace

Json answerFormatting(RequestContext &context) {
  const SourceFile &file = context.file();
  return editsOf(context, file, format(file.document, file.reading, optionsOf(context)));
}

Json answerRangeFormatting(RequestContext &context) {
  const SourceFile &file = context.file();
  TextRange range = context.positions.range(file.document, context.params.at("range"));
  return editsOf(context, file, format(file.document, file.reading, optionsOf(context), range));
}

// Ranges with a common line are formatted as one: edits must not overlap.
Json answerRangesFormatting(RequestContext &context) {
  const SourceFile &file = context.file();
  std::vector<TextRange> ranges;
  for (const Json &range : context.params.at("ranges"))
    ranges.push_back(context.positions.range(file.document, range));
  std::sort(ranges.begin(), ranges.end(),
            [](const TextRange &a, const TextRange &b) { return a.begin < b.begin; });
  std::vector<TextRange> apart;
  for (const TextRange &range : ranges)
    if (apart.empty() || apart.back().end.line < range.begin.line)
      apart.push_back(range);
    else
      apart.back().end = std::max(apart.back().end, range.end);
  std::vector<TextChange> edits;
  for (const TextRange &range : apart) {
    std::vector<TextChange> more = format(file.document, file.reading, optionsOf(context), range);
    edits.insert(edits.end(), more.begin(), more.end());
  }
  return editsOf(context, file, edits);
}

Json answerOnTypeFormatting(RequestContext &context) {
  Query query = context.query();
  std::string typed = context.params.at("ch");
  return editsOf(context, query.file,
                 formatOnType(query.document(), query.file.reading, optionsOf(context),
                              query.position, typed));
}

} // namespace cufc
