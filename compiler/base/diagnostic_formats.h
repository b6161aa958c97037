// The forms in which diagnostics leave the program. All are strings of valid UTF-8, whatever bytes
// messages and paths hold; columns in JSON count bytes, as in text, in SARIF and annotations
// characters.
#ifndef CUFC_BASE_DIAGNOSTIC_FORMATS_H
#define CUFC_BASE_DIAGNOSTIC_FORMATS_H

#include "base/diagnostics.h"
#include <optional>

namespace cufc {

class SourceLines;

// What SARIF says of the program that found the diagnostics.
struct ToolRun {
  std::string name = "cufls"; // or "cufc"
  std::string version;
  std::vector<std::string> arguments; // of the command line, without the program's name
  std::vector<std::string> files;     // that were looked at, with and without findings
  bool successful = true; // false if it could not do what was asked, not if it found errors
};

// The names that --format takes: text, json, sarif, github.
std::optional<DiagnosticFormat> formatNamed(std::string_view name);
constexpr const char *formatNames = "text, json, sarif or github";

// As `render` of diagnostics.h, for several diagnostics: `lines` keeps the files that are read.
std::string render(const Diagnostic &diagnostic, SourceLines &lines, bool colour = false,
                   std::string_view program = "cufc");

// All of `list` in one piece: text as `render` gives it, one JSON value, a SARIF log, or lines for
// GitHub.
std::string formatDiagnostics(const std::vector<Diagnostic> &list, DiagnosticFormat format,
                              const ToolRun &run);

// One diagnostic as a JSON object on one line, with the fields of the objects in "diagnostics".
std::string jsonLine(const Diagnostic &diagnostic);

// The reverse of jsonLine; nothing if the line is no such object.
std::optional<Diagnostic> parseJsonLine(std::string_view line);

// One diagnostic as a workflow command of GitHub, with the newline.
std::string githubAnnotation(const Diagnostic &diagnostic);

// A log in SARIF 2.1.0.
std::string sarifLog(const std::vector<Diagnostic> &list, const ToolRun &run);

// Text in place of the holes of a row's message: "kernel '{}'" gives "kernel '...'".
std::string messagePattern(std::string_view text);

} // namespace cufc
#endif // CUFC_BASE_DIAGNOSTIC_FORMATS_H
