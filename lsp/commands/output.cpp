// Diagnostics on standard output.
#include "commands/output.h"
#include "base/diag.h"
#include "base/diagnostic_formats.h"
#include "driver/terminal.h"
#include <cstdio>
#include <unistd.h>

namespace cufc {
namespace {

// The value of "--name=value" or "--name value" at `at`, which is taken out; nothing if another
// argument stands there.
std::optional<std::string> takeValue(Arguments &arguments, Arguments::iterator &at,
                                     std::string_view name) {
  bool joined = at->size() > name.size() && at->starts_with(name) && (*at)[name.size()] == '=';
  if (!joined && *at != name)
    return std::nullopt;
  std::string value = joined ? at->substr(name.size() + 1) : "";
  at = arguments.erase(at);
  if (!joined && at != arguments.end()) {
    value = *at;
    at = arguments.erase(at);
  }
  return value;
}

} // namespace

DiagnosticFormat takeFormat(Arguments &arguments, Diagnostics &diagnostics) {
  DiagnosticFormat format =
      hasColours(STDOUT_FILENO) ? DiagnosticFormat::ColouredText : DiagnosticFormat::Text;
  for (auto at = arguments.begin(); at != arguments.end() && *at != "--";) {
    std::optional<std::string> value = takeValue(arguments, at, "--format");
    if (!value) {
      ++at;
      continue;
    }
    std::optional<DiagnosticFormat> named = formatNamed(*value);
    if (named && *named != DiagnosticFormat::Text)
      format = *named;
    else if (!named)
      diagnostics.report(Diag::BadOptionValue, {}, *value, "--format", formatNames);
  }
  return format;
}

bool printDiagnostics(const std::vector<Diagnostic> &list, DiagnosticFormat format,
                      const Arguments &arguments, const std::vector<std::string> &files,
                      bool able) {
  ToolRun run{"cufls", CUFC_VERSION, arguments, files, able};
  std::string text = formatDiagnostics(list, format, run);
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
         std::fflush(stdout) == 0;
}

void appendDiagnostic(const std::string &file, const Diagnostic &diagnostic) {
  std::FILE *stream = file.empty() ? nullptr : std::fopen(file.c_str(), "ae");
  if (!stream)
    return;
  std::string line = jsonLine(diagnostic);
  std::fwrite(line.data(), 1, line.size(), stream);
  std::fclose(stream);
}

} // namespace cufc
