// Diagnostics: what is wrong with the input, where, and how it can be mended.
//
// Every message of ours is a row of tables/diagnostics.def or tables/hazards.def; code that finds a
// mistake gives the row and its arguments, whose types are checked, never text.
#ifndef CUFC_BASE_DIAGNOSTICS_H
#define CUFC_BASE_DIAGNOSTICS_H

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace cufc {

// Note is for what belongs to another message.
enum class Severity { Error, Warning, Information, Hint, Note };

// What a user turns off together, and what an editor greys out or strikes through.
enum class DiagnosticTag { None, Unnecessary, Deprecated };

using Text = std::string_view;
using Number = long long;

// A row of the tables whose message takes arguments of these types. base/diag.h and
// base/hazard.h declare them, apart from here so that a new row does not recompile everything.
template <typename... Arguments>
struct DiagnosticId {
  const char *code;
};

// A row without its arguments: the table as data.
struct DiagnosticInfo {
  const char *name;
  const char *code;
  Severity severity;
  const char *group;
  const char *text;
};
const std::vector<DiagnosticInfo> &allDiagnostics();
// Null if there is no such code.
const DiagnosticInfo *findDiagnostic(std::string_view code);

// A range of source text. Lines and columns start at 1, columns count bytes; `endColumn` is one
// past the last byte. An empty file name means that the diagnostic has no place in the source.
struct SourceRange {
  std::string file;
  int line = 0;
  int column = 0;
  int endLine = 0;
  int endColumn = 0;
};

// Replaces the text of a range, which may be empty to insert.
struct TextEdit {
  SourceRange range;
  std::string text;
};

// What mends a mistake; all edits together.
struct Fix {
  std::string title; // in the imperative: "add the attribute DEVICE"
  std::vector<TextEdit> edits;
};

struct Diagnostic {
  Severity severity;
  std::string code; // "CUF0101"; empty in related messages
  std::string message;
  SourceRange range;
  std::vector<Diagnostic> related = {};
  std::vector<Fix> fixes = {};
  DiagnosticTag tag = DiagnosticTag::None;
};

// How diagnostics leave the program: base/diagnostic_formats.h.
enum class DiagnosticFormat { Text, ColouredText, Json, Sarif, Github };

// Not deduced, so that a call's arguments are converted to what the row says.
template <typename T>
struct AsIs {
  using type = T;
};

// What stands for a {} of a row's text. The header has no more of formatting: every file includes
// it.
struct MessageArgument {
  MessageArgument(Text text) : text(text) {}
  MessageArgument(Number number) : number(number), isNumber(true) {}
  Text text;
  Number number = 0;
  bool isNumber = false;
};

// Collects diagnostics in the order they are found.
class Diagnostics {
public:
  explicit Diagnostics(DiagnosticFormat format = DiagnosticFormat::Text) : format(format) {}

  // The reference is good until the next diagnostic: for related places and fixes.
  template <typename... Arguments>
  Diagnostic &report(DiagnosticId<Arguments...> id, const SourceRange &range,
                     const typename AsIs<Arguments>::type &...arguments) {
    return add(make(id.code, range, {MessageArgument(arguments)...}));
  }
  Diagnostic &add(Diagnostic diagnostic) {
    all.push_back(std::move(diagnostic));
    return all.back();
  }
  bool hasErrors() const;
  const std::vector<Diagnostic> &list() const { return all; }
  // Puts others in place of all; for settings that change severities.
  void replace(std::vector<Diagnostic> others) { all = std::move(others); }

  // Prints everything to stderr and forgets it: as `render` gives it, where of many errors or
  // warnings only the first are shown and the rest counted, or each as an annotation of GitHub, or
  // as a JSON object on a line of its own (for SARIF also, whose log the parent process makes).
  void flush();
  // The same without printing.
  std::string take();

private:
  static Diagnostic make(const char *code, const SourceRange &range,
                         std::initializer_list<MessageArgument> arguments);
  std::string text() const;
  std::vector<Diagnostic> all;
  DiagnosticFormat format;
};

// "error", "warning", "information", "hint" or "note".
const char *severityName(Severity severity);

// The text that `flush` prints for one diagnostic: "file:line:column: error: text", the source line
// with a caret, related places and the titles of fixes. What has no place in a file is a message of
// the program itself.
std::string render(const Diagnostic &diagnostic, bool colour = false,
                   std::string_view program = "cufc");

} // namespace cufc
#endif // CUFC_BASE_DIAGNOSTICS_H
