// Comments that say that a diagnostic is known and accepted at a place:
//
//   x(i) = y(i * 32)      ! cufls: allow CUF0420, CUF0421 because the stride is small
//   ! cufls: allow performance because this runs once     (for the next statement)
//   ! cufls: allow-file CUF0501                           (for the whole file)
//
// Codes, names of diagnostics and groups, in any case. What stands behind "because" is for people.
#ifndef CUFC_SOURCE_ALLOW_COMMENTS_H
#define CUFC_SOURCE_ALLOW_COMMENTS_H

#include "base/diagnostic_settings.h"
#include <string>
#include <vector>

namespace cufc {

class AllowComments {
public:
  AllowComments(const std::string &path, const std::string &text, bool fixedForm, int fixedColumns);

  bool empty() const { return comments.empty(); }

  // Whether a diagnostic in this file is allowed; its comment then has an effect.
  bool allows(const Diagnostic &diagnostic);

  // Comments that are wrong and, if wanted, those without an effect so far on anything that
  // `settings` show. Only what the analysis of one file can find is said to have no effect; with
  // errors in the file much is not looked for, so nobody knows.
  void report(const DiagnosticSettings &settings, bool withoutEffect,
              Diagnostics &diagnostics) const;

private:
  struct Name {
    std::string text;
    std::string key; // code, group or "all"; empty if it is none of these
    SourceRange range;
    bool used = false;
  };
  struct Comment {
    SourceRange range;
    std::vector<Name> names;
    bool malformed = false;
    bool wholeFile = false;
    bool alone = false; // on its line, so for the next statement
    int firstLine = 0, lastLine = 0;
  };

  void read(std::string_view comment, int line, int column, bool alone);
  void cover(int firstLine, int lastLine);
  Fix removal(const Comment &comment, const Name *name) const;

  std::string path;
  std::vector<Comment> comments;
};

// What is to be shown of the diagnostics of a file and those that it includes, whose texts are
// read: without those that comments allow, with the severities of the settings, and with what is
// wrong with the comments of the file itself.
std::vector<Diagnostic> shownDiagnostics(std::vector<Diagnostic> list, const std::string &path,
                                         const std::string &text, bool fixedForm, int fixedColumns,
                                         const DiagnosticSettings &settings);

// The warnings of a compiler without those that comments allow; errors stay.
std::vector<Diagnostic> withoutAllowedWarnings(std::vector<Diagnostic> list, bool fixedForm,
                                               int fixedColumns);

} // namespace cufc
#endif // CUFC_SOURCE_ALLOW_COMMENTS_H
