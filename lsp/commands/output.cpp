// Diagnostics on standard output.
#include "commands/output.h"
#include "base/diag.h"
#include "base/diagnostic_formats.h"
#include "driver/terminal.h"
#include <cstdio>
#include <unistd.h>

namespace cufc {

DiagnosticFormat takeFormat(Arguments &arguments, Diagnostics &diagnostics) {
  constexpr std::string_view option = "--format";
  DiagnosticFormat format =
      hasColours(STDOUT_FILENO) ? DiagnosticFormat::ColouredText : DiagnosticFormat::Text;
  for (auto at = arguments.begin(); at != arguments.end() && *at != "--";) {
    bool joined = at->starts_with("--format=");
    if (!joined && *at != option) {
      ++at;
      continue;
    }
    std::string value = joined ? at->substr(option.size() + 1) : "";
    at = arguments.erase(at);
    if (!joined && at != arguments.end()) {
      value = *at;
      at = arguments.erase(at);
    }
    std::optional<DiagnosticFormat> named = formatNamed(value);
    if (named && *named != DiagnosticFormat::Text)
      format = *named;
    else if (!named)
      diagnostics.report(Diag::BadOptionValue, {}, value, option, formatNames);
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

} // namespace cufc
