// Which diagnostics a user wants to see, and how severe they are: from cufls.json and the command
// line. A setting for a code counts before one for its group, and that before one for all; of two
// for the same the later.
#ifndef CUFC_BASE_DIAGNOSTIC_SETTINGS_H
#define CUFC_BASE_DIAGNOSTIC_SETTINGS_H

#include "base/diagnostics.h"
#include <map>
#include <optional>

namespace cufc {

class DiagnosticSettings {
public:
  // `key` is a code (in any case), the name of a row, a group or "all"; `value` is off, hint,
  // information, warning or error. What is unknown is reported, and false returned.
  bool set(std::string_view key, std::string_view value, Diagnostics &diagnostics);

  // What is a warning after all settings becomes an error.
  void makeWarningsErrors() { warningsAreErrors = true; }

  // Nothing if it is not to be shown.
  std::optional<Severity> severityOf(const Diagnostic &diagnostic) const;

  // The diagnostics that are to be shown, with their severities.
  std::vector<Diagnostic> apply(std::vector<Diagnostic> list) const;

private:
  struct Level {
    std::optional<Severity> severity; // nothing: off
  };
  std::map<std::string, Level, std::less<>> levels; // by code, group or "all"
  bool warningsAreErrors = false;
};

// The code, group or "all" that a user's word means, or nothing.
std::optional<std::string> diagnosticKey(std::string_view word);

// "; did you mean 'CUF0402'?" for a word that means nothing, or an empty text.
std::string nearestDiagnosticKey(std::string_view word);

} // namespace cufc
#endif // CUFC_BASE_DIAGNOSTIC_SETTINGS_H
