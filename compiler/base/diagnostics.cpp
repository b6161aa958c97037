// Rendering of diagnostics. The source line is read from the file again, since a diagnostic is rare
// and must not keep the text alive.
#include "base/diagnostics.h"
#include "base/files.h"
#include <algorithm>
#include <cstdio>

namespace cufc {
namespace {

struct Row {
  const char *code;
  Severity severity;
  const char *text;
};

constexpr Severity error = Severity::Error;
[[maybe_unused]] constexpr Severity warning = Severity::Warning;
[[maybe_unused]] constexpr Severity note = Severity::Note;

constexpr Row rows[] = {
#define CUF_DIAGNOSTIC(name, code, severity, text) {code, severity, text},
#include "tables/diagnostics.def"
#undef CUF_DIAGNOSTIC
};

const char *severityName(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    return "note";
  }
  return "";
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

// Long or binary lines are cut to a window around the column so that a terminal is not flooded.
std::string snippet(const SourceRange &range) {
  constexpr size_t width = 160;
  std::string line = sourceLine(range.file, range.line);
  size_t column = range.column > 0 ? range.column - 1 : 0;
  if (line.empty() || column > line.size())
    return {};
  size_t begin = column > width / 2 && line.size() > width ? column - width / 2 : 0;
  std::string shown = line.substr(begin, width);
  std::string caret;
  for (size_t i = 0; i < column - begin; ++i)
    caret += shown[i] == '\t' ? '\t' : ' ';
  size_t end = range.endLine == range.line && range.endColumn > range.column
                   ? std::min<size_t>(range.endColumn - 1 - begin, shown.size())
                   : 0;
  caret += '^';
  if (end > caret.size())
    caret.append(end - caret.size(), '~');
  for (char &c : shown)
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t')
      c = '?';
  return "  " + shown + "\n  " + caret + "\n";
}

} // namespace

bool Diagnostics::hasErrors() const {
  return std::any_of(all.begin(), all.end(),
                     [](const Diagnostic &d) { return d.severity == Severity::Error; });
}

Diagnostic Diagnostics::make(Diag id, const SourceRange &range, fmt::format_args args) {
  const Row &row = rows[static_cast<size_t>(id)];
  return {row.severity, row.code, fmt::vformat(row.text, args), range, {}};
}

std::string render(const Diagnostic &d) {
  std::string place = "cufc: ";
  if (!d.range.file.empty()) {
    place = d.range.file + ":";
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
  std::string text;
  for (const Diagnostic &d : all)
    text += render(d);
  std::fwrite(text.data(), 1, text.size(), stderr);
  all.clear();
}

} // namespace cufc
