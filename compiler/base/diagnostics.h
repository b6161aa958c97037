// Diagnostics: what is wrong with the input, where, and how it is shown.
//
// Every message is a row of tables/diagnostics.def; code that finds a mistake gives the row and its
// arguments, never text. Messages of flang are passed on with their own text and without a code.
#ifndef CUFC_BASE_DIAGNOSTICS_H
#define CUFC_BASE_DIAGNOSTICS_H

#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace cufc {

enum class Severity { Error, Warning, Note };

enum class Diag {
#define CUF_DIAGNOSTIC(name, code, severity, text) name,
#include "tables/diagnostics.def"
#undef CUF_DIAGNOSTIC
};

// A range of source text. Lines and columns start at 1, columns count bytes; `endColumn` is one
// past the last byte. An empty file name means that the diagnostic has no place in the source.
struct SourceRange {
  std::string file;
  int line = 0;
  int column = 0;
  int endLine = 0;
  int endColumn = 0;
};

struct Diagnostic {
  Severity severity;
  std::string code; // "CUF0101", or empty for a message of flang's
  std::string message;
  SourceRange range;
  std::vector<Diagnostic> related;
};

// Collects diagnostics in the order they are found.
class Diagnostics {
public:
  template <typename... Args>
  void report(Diag id, const SourceRange &range, const Args &...args) {
    add(make(id, range, fmt::make_format_args(args...)));
  }
  void add(Diagnostic diagnostic) { all.push_back(std::move(diagnostic)); }
  bool hasErrors() const;
  const std::vector<Diagnostic> &list() const { return all; }

  // Prints everything as "file:line:column: error: text" with the source line and a caret, to
  // stderr, and forgets it. Of many errors or warnings only the first are shown, the rest counted.
  void flush();

private:
  static Diagnostic make(Diag id, const SourceRange &range, fmt::format_args args);
  std::vector<Diagnostic> all;
};

// The text that `flush` prints for one diagnostic.
std::string render(const Diagnostic &diagnostic);

} // namespace cufc
#endif // CUFC_BASE_DIAGNOSTICS_H
