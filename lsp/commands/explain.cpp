// `cufls explain`: what a diagnostic means, with a wrong and a right example; the codes of a group;
// or all codes.
#include "base/diag.h"
#include "base/diagnostic_formats.h"
#include "base/diagnostic_settings.h"
#include "base/explanations.h"
#include "base/source_text.h"
#include "commands/commands.h"
#include "commands/output.h"
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace cufc {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<const DiagnosticInfo *>;

// "203", "cuf203" and "0203" mean CUF0203.
std::string completed(const std::string &word) {
  size_t digits = word.find_first_of("0123456789");
  std::string head = lowerCase(word.substr(0, digits));
  bool number = digits != std::string::npos && word.size() - digits <= 4 &&
                std::all_of(word.begin() + static_cast<long>(digits), word.end(),
                            [](unsigned char c) { return std::isdigit(c); });
  if (!number || (!head.empty() && head != "cuf"))
    return word;
  return "CUF" + std::string(4 - (word.size() - digits), '0') + word.substr(digits);
}

// The row that a word names, or all rows of a group, by code.
Rows rowsFor(const std::string &word) {
  Rows rows;
  std::optional<std::string> key = diagnosticKey(completed(word));
  for (const DiagnosticInfo &row : allDiagnostics())
    if (key && (*key == "all" || *key == row.code || *key == row.group))
      rows.push_back(&row);
  std::sort(rows.begin(), rows.end(), [](const DiagnosticInfo *a, const DiagnosticInfo *b) {
    return std::string_view(a->code) < b->code;
  });
  return rows;
}

Json toJson(const DiagnosticInfo &row) {
  return Json{{"code", row.code},
              {"name", row.name},
              {"severity", severityName(row.severity)},
              {"group", row.group},
              {"message", messagePattern(row.text)},
              {"explanation", std::string(explanationOf(row.code))}};
}

std::string page(const DiagnosticInfo &row) {
  return fmt::format("{}: {}\n\n  {}\n\nSeverity: {}. Group: {}.\n\n{}", row.code, row.name,
                     messagePattern(row.text), severityName(row.severity), row.group,
                     explanationOf(row.code));
}

std::string list(const Rows &rows) {
  std::string text;
  for (const DiagnosticInfo *row : rows) {
    std::string message = messagePattern(row->text);
    std::replace(message.begin(), message.end(), '\n', ' ');
    text += fmt::format("{} {:<11} {:<12} {}: {}\n", row->code, severityName(row->severity),
                        row->group, row->name, message);
  }
  return text;
}

int fail(const Diagnostics &diagnostics, DiagnosticFormat format, const Arguments &arguments) {
  printDiagnostics(diagnostics.list(), format, arguments, {}, false);
  return exitFailed;
}

} // namespace

int explainCommand(const Arguments &given) {
  Diagnostics diagnostics;
  Arguments words = given;
  DiagnosticFormat format = takeFormat(words, diagnostics);
  if (words.empty() && !diagnostics.hasErrors())
    words = {"all"};
  Json found = Json::array();
  std::string text;
  for (const std::string &word : words) {
    Rows rows = rowsFor(word);
    if (rows.empty())
      diagnostics.report(Diag::NothingToExplain, {}, word, nearestDiagnosticKey(completed(word)));
    bool one = rows.size() == 1 && completed(word) != rows.front()->group;
    for (const DiagnosticInfo *row : rows)
      found.push_back(toJson(*row));
    text += text.empty() || rows.empty() ? "" : "\n";
    text += one ? page(*rows.front()) : list(rows);
  }
  if (diagnostics.hasErrors())
    return fail(diagnostics, format, given);
  if (format == DiagnosticFormat::Json)
    text = Json{{"diagnostics", found}}.dump(1) + "\n";
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? exitClean : exitFailed;
}

} // namespace cufc
