// Words of users are looked up in the tables of diagnostics; case does not count.
#include "base/diagnostic_settings.h"
#include "base/diag.h"
#include "base/source_text.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace cufc {
namespace {

struct LevelName {
  std::string_view name;
  std::optional<Severity> severity;
};

constexpr LevelName levelNames[] = {{"off", std::nullopt},
                                    {"hint", Severity::Hint},
                                    {"information", Severity::Information},
                                    {"warning", Severity::Warning},
                                    {"error", Severity::Error}};

bool isSame(std::string_view one, std::string_view other) {
  return std::equal(
      one.begin(), one.end(), other.begin(), other.end(),
      [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

} // namespace

std::optional<std::string> diagnosticKey(std::string_view word) {
  if (isSame(word, "all"))
    return "all";
  for (const DiagnosticInfo &row : allDiagnostics())
    if (isSame(word, row.code) || isSame(word, row.name))
      return row.code;
    else if (isSame(word, row.group))
      return row.group;
  return std::nullopt;
}

std::string nearestDiagnosticKey(std::string_view word) {
  std::string_view best;
  size_t bestDistance = std::max<size_t>(2, word.size() / 3) + 1;
  for (const DiagnosticInfo &row : allDiagnostics())
    for (std::string_view name : {row.group, row.name, row.code})
      if (size_t distance = editDistance(word, name); distance < bestDistance) {
        bestDistance = distance;
        best = name;
      }
  return best.empty() ? "" : fmt::format("; did you mean '{}'?", best);
}

bool DiagnosticSettings::set(std::string_view key, std::string_view value,
                             Diagnostics &diagnostics) {
  std::optional<std::string> meant = diagnosticKey(key);
  const auto *level = std::find_if(std::begin(levelNames), std::end(levelNames),
                                   [&](const LevelName &row) { return isSame(row.name, value); });
  if (!meant)
    diagnostics.report(Diag::UnknownDiagnosticName, {}, key, nearestDiagnosticKey(key));
  if (level == std::end(levelNames))
    diagnostics.report(Diag::UnknownDiagnosticLevel, {}, value, key);
  if (!meant || level == std::end(levelNames))
    return false;
  levels[*meant] = {level->severity};
  return true;
}

std::optional<Severity> DiagnosticSettings::severityOf(const Diagnostic &diagnostic) const {
  std::optional<Severity> severity = diagnostic.severity;
  const DiagnosticInfo *row = findDiagnostic(diagnostic.code);
  for (std::string_view key : {std::string_view(diagnostic.code),
                               std::string_view(row ? row->group : ""), std::string_view("all")})
    if (auto found = levels.find(key); found != levels.end()) {
      severity = found->second.severity;
      break;
    }
  if (severity == Severity::Warning && warningsAreErrors)
    severity = Severity::Error;
  return severity;
}

std::vector<Diagnostic> DiagnosticSettings::apply(std::vector<Diagnostic> list) const {
  std::vector<Diagnostic> result;
  for (Diagnostic &diagnostic : list)
    if (std::optional<Severity> severity = severityOf(diagnostic)) {
      diagnostic.severity = *severity;
      result.push_back(std::move(diagnostic));
    }
  return result;
}

} // namespace cufc
