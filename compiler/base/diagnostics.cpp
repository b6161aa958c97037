// Rendering of diagnostics. The source line is read from the file again, since a diagnostic is rare
// and must not keep the text alive.
#include "base/diagnostics.h"
#include "base/diag.h"
#include "base/files.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace cufc {
namespace {

// The words of the table.
[[maybe_unused]] constexpr Severity error = Severity::Error, warning = Severity::Warning,
                                    information = Severity::Information, hint = Severity::Hint,
                                    note = Severity::Note;

// The path as a user would type it: flang names files of the current folder "./name", and lowering
// names them by their full paths.
std::string shownPath(const std::string &path) {
  std::error_code error;
  std::string here = std::filesystem::current_path(error).string() + "/";
  for (const std::string &folder : {std::string("./"), here})
    if (path.size() > folder.size() && folder.size() > 1 && path.starts_with(folder))
      return path.substr(folder.size());
  return path;
}

// The text of one line of a file without its end, or empty if it cannot be had.
std::string sourceLine(const std::string &file, int line) {
  std::string text;
  if (!readFile(file, text))
    return {};
  size_t begin = 0;
  for (int i = 1; i < line; ++i) {
    begin = text.find('\n', begin);
    if (begin == std::string::npos)
      return {};
    ++begin;
  }
  std::string result = text.substr(begin, text.find('\n', begin) - begin);
  if (!result.empty() && result.back() == '\r')
    result.pop_back();
  return result;
}

// The length of the UTF-8 character at `at`, or 0 if the bytes there are none or a control
// character.
size_t characterLength(std::string_view text, size_t at) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char lead = byte(at);
  if (lead < 0x80)
    return lead >= 0x20 || lead == '\t' ? 1 : 0;
  size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || at + length > text.size())
    return 0;
  for (size_t i = at + 1; i < at + length; ++i)
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
  return length;
}

// The source line with a caret under the column and tildes to the end of the range. Long lines are
// cut to a window around the column so that a terminal is not flooded, and what is not text shows
// as question marks. Each character of the line stands above one of the marks.
std::string snippet(const SourceRange &range) {
  constexpr size_t width = 160;
  std::string line = sourceLine(range.file, range.line);
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
    shown += length ? line.substr(at, length) : "?";
    if (at < column)
      marks += line[at] == '\t' ? '\t' : ' ';
    else if (at < last)
      marks += at == column ? '^' : '~';
    at += std::max<size_t>(length, 1);
  }
  if (column == line.size())
    marks += '^';
  return "  " + shown + "\n  " + marks + "\n";
}

} // namespace

const char *severityName(Severity severity) {
  static constexpr const char *names[] = {"error", "warning", "information", "hint", "note"};
  return names[static_cast<size_t>(severity)];
}

const std::vector<DiagnosticInfo> &allDiagnostics() {
  static const std::vector<DiagnosticInfo> rows = {
#define CUF_DIAGNOSTIC(name, code, severity, group, text, ...)                                     \
  {#name, code, severity, #group, text},
#include "tables/diagnostics.def"
#include "tables/hazards.def"
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

Diagnostic Diagnostics::make(const char *code, const SourceRange &range, fmt::format_args args) {
  const DiagnosticInfo &row = *findDiagnostic(code);
  std::string text = fmt::vformat(row.text, args);
  text.erase(text.find_last_not_of(" \n") + 1); // what other programs printed ends with a newline
  return {row.severity, row.code, text, range, {}, {}};
}

std::string render(const Diagnostic &d) {
  std::string place = "cufc: ";
  if (!d.range.file.empty()) {
    place = shownPath(d.range.file) + ":";
    if (d.range.line > 0)
      place += fmt::format("{}:{}:", d.range.line, std::max(d.range.column, 1));
    place += " ";
  }
  std::string code = d.code.empty() ? "" : fmt::format(" [{}]", d.code);
  std::string text = fmt::format("{}{}: {}{}\n", place, severityName(d.severity), d.message, code);
  if (!d.range.file.empty() && d.range.line > 0)
    text += snippet(d.range);
  for (const Diagnostic &related : d.related)
    text += render(related);
  return text;
}

void Diagnostics::flush() {
  constexpr int mostErrors = 20;
  constexpr int mostWarnings = 100;
  int errors = 0, warnings = 0;
  std::string text;
  for (const Diagnostic &d : all)
    if (d.severity == Severity::Error ? ++errors <= mostErrors
                                      : d.severity == Severity::Note || ++warnings <= mostWarnings)
      text += render(d);
  auto count = [&](int hidden, const char *one, const char *many) {
    Diagnostics more;
    if (hidden > 0)
      text += render(more.report(Diag::MoreMessages, {}, hidden, hidden == 1 ? one : many));
  };
  count(warnings - mostWarnings, "warning is", "warnings are");
  count(errors - mostErrors, "error is", "errors are");
  std::fwrite(text.data(), 1, text.size(), stderr);
  all.clear();
}

} // namespace cufc
