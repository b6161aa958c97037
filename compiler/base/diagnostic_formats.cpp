// JSON, annotations of GitHub, and the choice among the forms.
#include "base/diagnostic_formats.h"
#include "base/percent_encoding.h"
#include "base/source_text.h"
#include "base/terminal_text.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace cufc {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json &value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

// A range always has an end that is not before its begin; a place without one has zeros.
SourceRange complete(SourceRange range) {
  if (range.line <= 0)
    return {range.file, 0, 0, 0, 0};
  range.column = std::max(range.column, 1);
  if (range.endLine < range.line ||
      (range.endLine == range.line && range.endColumn < range.column)) {
    range.endLine = range.line;
    range.endColumn = range.column + 1;
  }
  return range;
}

std::string fullPath(const std::string &path) {
  std::error_code error;
  return (std::filesystem::current_path(error) / path).lexically_normal().string();
}

void addRange(Json &object, const SourceRange &given) {
  SourceRange range = complete(given);
  object["file"] = shownPath(range.file);
  if (validText(range.file) != range.file) // JSON has no way to write it
    object["uri"] = "file://" + percentEncoded(fullPath(range.file));
  object["line"] = range.line;
  object["column"] = range.column;
  object["endLine"] = range.endLine;
  object["endColumn"] = range.endColumn;
}

Json toJson(const Fix &fix) {
  Json edits = Json::array();
  for (const TextEdit &edit : fix.edits) {
    Json object;
    addRange(object, edit.range);
    if (edit.range.endLine == edit.range.line && edit.range.endColumn == edit.range.column) {
      object["endLine"] = edit.range.line; // an insertion: the range is empty
      object["endColumn"] = edit.range.column;
    }
    object["newText"] = edit.text;
    edits.push_back(object);
  }
  return Json{{"title", fix.title}, {"edits", edits}};
}

Json toJson(const Diagnostic &diagnostic) {
  Json object;
  addRange(object, diagnostic.range);
  object["severity"] = severityName(diagnostic.severity == Severity::Note ? Severity::Information
                                                                          : diagnostic.severity);
  object["code"] = diagnostic.code;
  if (const DiagnosticInfo *row = findDiagnostic(diagnostic.code)) {
    object["name"] = row->name;
    object["group"] = row->group;
  }
  object["message"] = diagnostic.message;
  object["fixes"] = Json::array();
  for (const Fix &fix : diagnostic.fixes)
    object["fixes"].push_back(toJson(fix));
  object["related"] = Json::array();
  for (const Diagnostic &related : diagnostic.related) {
    Json place;
    addRange(place, related.range);
    place["message"] = related.message;
    object["related"].push_back(place);
  }
  object["tags"] = Json::array();
  if (diagnostic.tag != DiagnosticTag::None)
    object["tags"].push_back(diagnostic.tag == DiagnosticTag::Unnecessary ? "unnecessary"
                                                                          : "deprecated");
  if (!diagnostic.code.empty())
    object["help"] = "cufls explain " + diagnostic.code;
  return object;
}

std::string stringOf(const Json &object, const char *name) {
  auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

SourceRange rangeOf(const Json &object) {
  auto number = [&](const char *name) {
    auto found = object.find(name);
    return found != object.end() && found->is_number_integer() ? found->get<int>() : 0;
  };
  const std::string uri = stringOf(object, "uri");
  std::string file =
      uri.starts_with("file://") ? percentDecoded(uri.substr(7)) : stringOf(object, "file");
  return {std::move(file), number("line"), number("column"), number("endLine"),
          number("endColumn")};
}

// The objects of a list-valued field.
std::vector<Json> objectsOf(const Json &object, const char *name) {
  std::vector<Json> result;
  auto found = object.find(name);
  if (found != object.end() && found->is_array())
    std::copy_if(found->begin(), found->end(), std::back_inserter(result),
                 [](const Json &item) { return item.is_object(); });
  return result;
}

// Percent, and the characters that end a line, a property or its name.
std::string escaped(const std::string &text, bool property) {
  std::string result;
  for (char c : text)
    if (c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ',')))
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      result += c;
  return result;
}

} // namespace

std::optional<DiagnosticFormat> formatNamed(std::string_view name) {
  static constexpr std::pair<std::string_view, DiagnosticFormat> names[] = {
      {"text", DiagnosticFormat::Text},
      {"json", DiagnosticFormat::Json},
      {"sarif", DiagnosticFormat::Sarif},
      {"github", DiagnosticFormat::Github}};
  for (const auto &[known, format] : names)
    if (name == known)
      return format;
  return std::nullopt;
}

std::string jsonLine(const Diagnostic &diagnostic) { return dump(toJson(diagnostic), -1) + "\n"; }

std::optional<Diagnostic> parseJsonLine(std::string_view line) {
  Json object = Json::parse(line, nullptr, false);
  if (!object.is_object() || !object.contains("severity") || !object.contains("message"))
    return std::nullopt;
  Diagnostic result{Severity::Error, stringOf(object, "code"), stringOf(object, "message"),
                    rangeOf(object)};
  std::string severity = stringOf(object, "severity");
  for (Severity known : {Severity::Error, Severity::Warning, Severity::Information, Severity::Hint})
    if (severity == severityName(known))
      result.severity = known;
  for (const Json &related : objectsOf(object, "related"))
    result.related.push_back({Severity::Note, {}, stringOf(related, "message"), rangeOf(related)});
  for (const Json &fix : objectsOf(object, "fixes")) {
    result.fixes.push_back({stringOf(fix, "title"), {}});
    for (const Json &edit : objectsOf(fix, "edits"))
      result.fixes.back().edits.push_back({rangeOf(edit), stringOf(edit, "newText")});
  }
  auto tags = object.find("tags");
  if (tags != object.end() && tags->is_array() && !tags->empty())
    result.tag =
        tags->front() == "deprecated" ? DiagnosticTag::Deprecated : DiagnosticTag::Unnecessary;
  return result;
}

std::string githubAnnotation(const Diagnostic &diagnostic) {
  SourceRange range = complete(diagnostic.range);
  SourceLines lines;
  std::string properties;
  auto add = [&](const char *name, const std::string &value) {
    properties += properties.empty() ? " " : ",";
    properties += name + std::string("=") + escaped(terminalText(value), true);
  };
  if (!range.file.empty())
    add("file", shownPath(range.file));
  if (range.line > 0) {
    add("line", std::to_string(range.line));
    add("endLine", std::to_string(range.endLine));
    if (range.line == range.endLine) { // columns are for one line alone
      std::string_view line = lines.line(range.file, range.line);
      int column = characterColumn(line, range.column);
      add("col", std::to_string(column));
      add("endColumn",
          std::to_string(std::max(column, characterColumn(line, range.endColumn) - 1)));
    }
  }
  if (!diagnostic.code.empty())
    add("title", diagnostic.code);
  std::string text = diagnostic.message;
  for (const Diagnostic &related : diagnostic.related) {
    text += "\n" + related.message;
    if (related.range.line > 0)
      text += fmt::format(" ({}:{})", shownPath(related.range.file), related.range.line);
  }
  const char *command = diagnostic.severity == Severity::Error     ? "error"
                        : diagnostic.severity == Severity::Warning ? "warning"
                                                                   : "notice";
  return fmt::format("::{}{}::{}\n", command, properties, escaped(terminalText(text), false));
}

std::string formatDiagnostics(const std::vector<Diagnostic> &list, DiagnosticFormat format,
                              const ToolRun &run) {
  std::string text;
  switch (format) {
  case DiagnosticFormat::Text:
  case DiagnosticFormat::ColouredText: {
    SourceLines lines;
    for (const Diagnostic &diagnostic : list)
      text += render(diagnostic, lines, format == DiagnosticFormat::ColouredText, run.name);
    return text;
  }
  case DiagnosticFormat::Json: {
    Json all = Json::array();
    for (const Diagnostic &diagnostic : list)
      all.push_back(toJson(diagnostic));
    return dump(Json{{"diagnostics", all}}, 1) + "\n";
  }
  case DiagnosticFormat::Sarif:
    return sarifLog(list, run);
  case DiagnosticFormat::Github:
    for (const Diagnostic &diagnostic : list)
      text += githubAnnotation(diagnostic);
    return text;
  }
  return text;
}

std::string messagePattern(std::string_view text) {
  std::string result;
  for (size_t at = 0; at < text.size(); ++at)
    if (text[at] == '{' && text.find('}', at) != std::string_view::npos) {
      result += "...";
      at = text.find('}', at);
    } else {
      result += text[at];
    }
  return result;
}

} // namespace cufc
