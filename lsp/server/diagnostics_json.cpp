// See diagnostics_json.h. Fixes travel as data, for clients that send diagnostics back with a
// request for code actions.
#include "server/diagnostics_json.h"
#include <unistd.h>

namespace cufc {
namespace {

int severityOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return 1;
  case Severity::Warning:
    return 2;
  case Severity::Hint:
    return 4;
  default:
    return 3;
  }
}

} // namespace

Json toJson(const Diagnostic &diagnostic, const std::string &path, const std::string &pages,
            Positions &positions) {
  SourceRange range = diagnostic.range;
  if (range.file.empty())
    range.file = path;
  Json json = {{"range", positions.range(range)},
               {"severity", severityOf(diagnostic.severity)},
               {"source", "cufls"},
               {"message", diagnostic.message}};
  if (!diagnostic.code.empty()) {
    json["code"] = diagnostic.code;
    if (std::string page = pages + "/" + diagnostic.code + ".md"; access(page.c_str(), R_OK) == 0)
      json["codeDescription"] = {{"href", uriOfPath(page)}};
  }
  if (diagnostic.tag != DiagnosticTag::None)
    json["tags"] = {diagnostic.tag == DiagnosticTag::Unnecessary ? 1 : 2};
  for (const Diagnostic &related : diagnostic.related) {
    SourceRange place = related.range;
    if (place.file.empty())
      place.file = path;
    json["relatedInformation"].push_back(
        {{"location", {{"uri", positions.uri(place.file)}, {"range", positions.range(place)}}},
         {"message", related.message}});
  }
  for (const Fix &fix : diagnostic.fixes) {
    Json changes = Json::object();
    for (const TextEdit &edit : fix.edits)
      changes[positions.uri(edit.range.file.empty() ? path : edit.range.file)].push_back(
          {{"range", positions.range(edit.range)}, {"newText", edit.text}});
    json["data"]["fixes"].push_back({{"title", fix.title}, {"edit", {{"changes", changes}}}});
  }
  return json;
}

} // namespace cufc
