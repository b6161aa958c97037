// SARIF 2.1.0 (OASIS standard): one run, whose rules are the codes that were found. Columns count
// Unicode characters, which "columnKind" says; paths in the current folder are relative to the base
// %SRCROOT%, others are absolute.
#include "base/diagnostic_formats.h"
#include "base/explanations.h"
#include "base/percent_encoding.h"
#include "base/source_text.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace cufc {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char *schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
constexpr const char *homepage = CUFC_HOMEPAGE; // may be empty
constexpr const char *base = "%SRCROOT%";

const char *levelOf(Severity severity) {
  return severity == Severity::Error ? "error" : severity == Severity::Warning ? "warning" : "note";
}

Json message(const std::string &text) { return Json{{"text", text.empty() ? " " : text}}; }

class Log {
public:
  explicit Log(const ToolRun &run) : run(run) {}

  std::string write(const std::vector<Diagnostic> &list) {
    for (const std::string &file : run.files)
      artifactIndex(file);
    results = Json::array();
    notifications = Json::array();
    for (const Diagnostic &diagnostic : list)
      if (diagnostic.range.file.empty())
        notifications.push_back(notification(diagnostic));
      else
        results.push_back(result(diagnostic));
    Json log;
    log["$schema"] = schema;
    log["version"] = "2.1.0";
    log["runs"] = Json::array({describedRun()});
    return log.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

private:
  Json describedRun() const {
    Json driver{{"name", run.name}};
    if (!run.version.empty()) {
      driver["version"] = run.version;
      driver["semanticVersion"] = run.version;
    }
    if (homepage[0])
      driver["informationUri"] = homepage;
    driver["rules"] = rules;
    Json invocation{{"executionSuccessful", run.successful}};
    invocation["arguments"] = run.arguments;
    invocation["workingDirectory"] = Json{{"uri", currentFolder()}};
    invocation["toolExecutionNotifications"] = notifications;
    Json described;
    described["tool"] = Json{{"driver", driver}};
    described["invocations"] = Json::array({invocation});
    described["originalUriBaseIds"] = Json{{base, Json{{"uri", currentFolder()}}}};
    described["columnKind"] = "unicodeCodePoints";
    described["artifacts"] = artifacts;
    described["results"] = results;
    return described;
  }

  static std::string currentFolder() {
    std::error_code error;
    std::string path = std::filesystem::current_path(error).string();
    return "file://" + percentEncoded(path) + (path.ends_with('/') ? "" : "/");
  }

  static Json artifactLocation(const std::string &file) {
    std::string path = shownPath(file);
    if (path.starts_with('/'))
      return Json{{"uri", "file://" + percentEncoded(path)}};
    return Json{{"uri", percentEncoded(path)}, {"uriBaseId", base}};
  }

  size_t artifactIndex(const std::string &file) {
    auto [entry, isNew] = artifactNumbers.try_emplace(shownPath(file), artifacts.size());
    if (isNew)
      artifacts.push_back(Json{{"location", artifactLocation(file)}});
    return entry->second;
  }

  Json indexedLocation(const std::string &file) {
    size_t index = artifactIndex(file);
    Json location = artifactLocation(file);
    location["index"] = index;
    return location;
  }

  // An insertion has an empty region.
  Json region(const SourceRange &range) {
    int column = characterColumn(lines.line(range.file, range.line), std::max(range.column, 1));
    Json result{{"startLine", range.line}, {"startColumn", column}};
    bool hasEnd = range.endLine > range.line ||
                  (range.endLine == range.line && range.endColumn >= range.column);
    int endLine = hasEnd ? range.endLine : range.line;
    result["endLine"] = endLine;
    result["endColumn"] =
        hasEnd ? characterColumn(lines.line(range.file, endLine), std::max(range.endColumn, 1))
               : column + 1;
    return result;
  }

  Json location(const Diagnostic &diagnostic) {
    Json physical{{"artifactLocation", indexedLocation(diagnostic.range.file)}};
    if (diagnostic.range.line > 0)
      physical["region"] = region(diagnostic.range);
    return Json{{"physicalLocation", physical}};
  }

  Json result(const Diagnostic &diagnostic) {
    Json found;
    if (!diagnostic.code.empty()) {
      found["ruleId"] = diagnostic.code;
      found["ruleIndex"] = ruleIndex(diagnostic.code);
    }
    found["level"] = levelOf(diagnostic.severity);
    found["message"] = message(diagnostic.message);
    found["locations"] = Json::array({location(diagnostic)});
    Json related = Json::array();
    for (const Diagnostic &other : diagnostic.related)
      if (!other.range.file.empty()) {
        Json place = location(other);
        place["id"] = related.size();
        place["message"] = message(other.message);
        related.push_back(place);
      }
    if (!related.empty())
      found["relatedLocations"] = related;
    Json fixes = Json::array();
    for (const Fix &given : diagnostic.fixes)
      if (!given.edits.empty())
        fixes.push_back(fix(given));
    if (!fixes.empty())
      found["fixes"] = fixes;
    return found;
  }

  // The edits of each file stand together.
  Json fix(const Fix &given) {
    std::map<std::string, Json> replacements;
    for (const TextEdit &edit : given.edits) {
      Json replacement{{"deletedRegion", region(edit.range)}};
      replacement["insertedContent"] = Json{{"text", edit.text}};
      replacements.try_emplace(edit.range.file, Json::array()).first->second.push_back(replacement);
    }
    Json changes = Json::array();
    for (const auto &[file, list] : replacements)
      changes.push_back(Json{{"artifactLocation", indexedLocation(file)}, {"replacements", list}});
    return Json{{"description", message(given.title)}, {"artifactChanges", changes}};
  }

  // What has no place in a file: mistakes on the command line, programs that are missing.
  Json notification(const Diagnostic &diagnostic) {
    Json found{{"level", levelOf(diagnostic.severity)}, {"message", message(diagnostic.message)}};
    if (!diagnostic.code.empty())
      found["descriptor"] = Json{{"id", diagnostic.code}, {"index", ruleIndex(diagnostic.code)}};
    return found;
  }

  size_t ruleIndex(const std::string &code) {
    auto [entry, isNew] = ruleNumbers.try_emplace(code, rules.size());
    if (isNew)
      rules.push_back(rule(code));
    return entry->second;
  }

  static Json rule(const std::string &code) {
    Json described{{"id", code}};
    const DiagnosticInfo *row = findDiagnostic(code);
    if (!row)
      return described;
    described["name"] = row->name;
    described["shortDescription"] = message(messagePattern(row->text));
    if (std::string_view page = explanationOf(code); !page.empty()) {
      std::string first(page.substr(0, page.find("\n\n")));
      std::replace(first.begin(), first.end(), '\n', ' ');
      described["fullDescription"] = message(first);
      described["help"] = Json{{"text", std::string(page)}, {"markdown", std::string(page)}};
    }
    if (homepage[0])
      described["helpUri"] = fmt::format("{}/docs/reference/diagnostics/{}.md", homepage, code);
    described["defaultConfiguration"] = Json{{"level", levelOf(row->severity)}};
    described["properties"] = Json{{"tags", Json::array({std::string(row->group)})}};
    return described;
  }

  const ToolRun &run;
  SourceLines lines;
  Json rules = Json::array(), artifacts = Json::array(), results, notifications;
  std::map<std::string, size_t> ruleNumbers, artifactNumbers;
};

} // namespace

std::string sarifLog(const std::vector<Diagnostic> &list, const ToolRun &run) {
  return Log(run).write(list);
}

} // namespace cufc
