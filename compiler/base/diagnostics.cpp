// Rendering of diagnostics. The source line is read from the file again, since a diagnostic is rare
// and must not keep the text alive.
#include "base/diagnostics.h"
#include "base/diag.h"
#include "base/diagnostic_formats.h"
#include "base/source_text.h"
#include "base/terminal_text.h"
#include <algorithm>
#include <cstdio>
#include <fmt/args.h>
#include <fmt/format.h>
#include <functional>

namespace cufc {
namespace {

// The words of the table.
[[maybe_unused]] constexpr Severity error = Severity::Error, warning = Severity::Warning,
                                    information = Severity::Information, hint = Severity::Hint,
                                    note = Severity::Note;

// The source line with a caret under the column and tildes to the end of the range. Long lines are
// cut to a window around the column so that a terminal is not flooded, and what is not text shows
// as question marks. Each character of the line stands above one of the marks.
std::string snippet(const SourceRange &range, SourceLines &lines, std::string_view green,
                    std::string_view reset) {
  constexpr size_t width = 160;
  std::string line(lines.line(range.file, range.line));
  size_t column = range.column > 0 ? range.column - 1 : 0;
  if (line.empty() || column > line.size())
    return {};
  size_t last = column + 1;
  if (range.endLine == range.line && range.endColumn > range.column)
    last = range.endColumn - 1;
  size_t at = column > width / 2 && line.size() > width ? column - width / 2 : 0;
  while (at > 0 && (static_cast<unsigned char>(line[at]) & 0xc0) == 0x80)
    --at;
  std::string shown, marks;
  for (size_t end = std::min(at + width, line.size()); at < end;) {
    size_t length = characterLength(line, at);
    shown += length && isHarmless(std::string_view(line).substr(at, length))
                 ? line.substr(at, length)
                 : "?";
    if (at < column)
      marks += line[at] == '\t' ? '\t' : ' ';
    else if (at < last)
      marks += at == column ? '^' : '~';
    at += std::max<size_t>(length, 1);
  }
  if (column == line.size())
    marks += '^';
  return fmt::format("  {}\n  {}{}{}\n", shown, green, marks, reset);
}

// What a terminal understands (ECMA-48), or nothing.
struct Colours {
  explicit Colours(bool wanted) : wanted(wanted) {}
  std::string_view of(Severity severity) const {
    static constexpr std::string_view codes[] = {"\033[1;31m", "\033[1;35m", "\033[1;34m",
                                                 "\033[1;36m", "\033[1;30m"};
    return wanted ? codes[static_cast<size_t>(severity)] : std::string_view();
  }
  std::string_view bold() const { return wanted ? "\033[1m" : ""; }
  std::string_view green() const { return wanted ? "\033[1;32m" : ""; }
  std::string_view reset() const { return wanted ? "\033[0m" : ""; }
  bool wanted;
};

} // namespace

const char *severityName(Severity severity) {
  static constexpr const char *names[] = {"error", "warning", "information", "hint", "note"};
  return names[static_cast<size_t>(severity)];
}

const std::vector<DiagnosticInfo> &allDiagnostics() {
  static const std::vector<DiagnosticInfo> rows = {
#define CUF_DIAGNOSTIC(name, code, severity, group, text, ...)                                     \
  {#name, code, severity, #group, text},
#include "tables/calls.def"
#include "tables/command_line.def"
#include "tables/diagnostics.def"
#include "tables/flags.def"
#include "tables/flang_messages.def"
#include "tables/hazards.def"
#include "tables/language.def"
#include "tables/mistakes.def"
#include "tables/mpi.def"
#include "tables/occupancy.def"
#include "tables/parallel.def"
#include "tables/runs.def"
#undef CUF_DIAGNOSTIC
  };
  return rows;
}

const DiagnosticInfo *findDiagnostic(std::string_view code) {
  const auto &rows = allDiagnostics();
  auto found = std::find_if(rows.begin(), rows.end(),
                            [&](const DiagnosticInfo &row) { return row.code == code; });
  return found == rows.end() ? nullptr : &*found;
}

bool Diagnostics::hasErrors() const {
  return std::any_of(all.begin(), all.end(),
                     [](const Diagnostic &d) { return d.severity == Severity::Error; });
}

Diagnostic Diagnostics::make(const char *code, const SourceRange &range,
                             std::initializer_list<MessageArgument> arguments) {
  const DiagnosticInfo &row = *findDiagnostic(code);
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  for (const MessageArgument &argument : arguments)
    if (argument.isNumber)
      store.push_back(argument.number);
    else
      store.push_back(std::cref(argument.text));
  std::string text = fmt::vformat(row.text, store);
  text.erase(text.find_last_not_of(" \n") + 1); // what other programs printed ends with a newline
  return {row.severity, row.code, text, range, {}, {}};
}

std::string render(const Diagnostic &d, bool colour, std::string_view program) {
  SourceLines lines;
  return render(d, lines, colour, program);
}

std::string render(const Diagnostic &d, SourceLines &lines, bool colour, std::string_view program) {
  Colours colours(colour);
  std::string place = fmt::format("{}: ", program);
  if (!d.range.file.empty()) {
    place = terminalText(shownPath(d.range.file), LineEnds::Shown) + ":";
    if (d.range.line > 0)
      place += fmt::format("{}:{}:", d.range.line, std::max(d.range.column, 1));
    place += " ";
  }
  std::string code = d.code.empty() ? "" : fmt::format(" [{}]", d.code);
  std::string text = fmt::format("{}{}{}{}{}:{} {}{}{}\n", colours.bold(), place,
                                 colours.of(d.severity), severityName(d.severity), colours.reset(),
                                 colours.bold(), terminalText(d.message), colours.reset(), code);
  if (!d.range.file.empty() && d.range.line > 0)
    text += snippet(d.range, lines, colours.green(), colours.reset());
  for (const Fix &fix : d.fixes)
    text += fmt::format("  fix: {}\n", terminalText(fix.title));
  for (const Diagnostic &related : d.related)
    text += render(related, lines, colour, program);
  return text;
}

std::string Diagnostics::text() const {
  constexpr int mostErrors = 20;
  constexpr int mostWarnings = 100;
  bool colour = format == DiagnosticFormat::ColouredText;
  int errors = 0, warnings = 0;
  SourceLines lines;
  std::string text;
  for (const Diagnostic &d : all)
    if (d.severity == Severity::Error ? ++errors <= mostErrors
                                      : d.severity == Severity::Note || ++warnings <= mostWarnings)
      text += render(d, lines, colour);
  auto count = [&](int hidden, const char *one, const char *many) {
    Diagnostics more;
    if (hidden > 0)
      text += render(more.report(Diag::MoreMessages, {}, hidden, hidden == 1 ? one : many), colour);
  };
  count(warnings - mostWarnings, "warning is", "warnings are");
  count(errors - mostErrors, "error is", "errors are");
  return text;
}

std::string Diagnostics::take() {
  std::string output;
  if (format == DiagnosticFormat::Text || format == DiagnosticFormat::ColouredText)
    output = text();
  else
    for (const Diagnostic &d : all)
      output += format == DiagnosticFormat::Github ? githubAnnotation(d) : jsonLine(d);
  all.clear();
  return output;
}

void Diagnostics::flush() {
  std::string output = take();
  std::fwrite(output.data(), 1, output.size(), stderr);
}

} // namespace cufc
