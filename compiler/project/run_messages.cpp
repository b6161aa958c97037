// See run_messages.h.
#include "project/run_messages.h"
#include "base/files.h"
#include "base/runs_diag.h"
#include "base/source_text.h"
#include "project/project.h"
#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace cufc {
namespace {

constexpr size_t longestLine = 4000;
const char *const foundByRuntime[] = {
    RunsDiag::SubscriptOutside.code, RunsDiag::SubstringOutside.code,
    RunsDiag::UnorderedAccess.code,  RunsDiag::UnsetShared.code,
    RunsDiag::SharedOutside.code,    RunsDiag::KernelAbandoned.code,
    RunsDiag::UnsetDevice.code,      RunsDiag::BarrierMissed.code,
    RunsDiag::LanesMissing.code,     RunsDiag::DummyLarger.code,
    RunsDiag::UnsetLocal.code};

// Whether a message has the fixed parts of a row's text, in their order.
bool hasForm(std::string_view message, std::string_view form) {
  size_t at = 0;
  for (bool first = true; !form.empty(); first = false) {
    size_t hole = form.find("{}");
    std::string_view piece = form.substr(0, hole);
    size_t found = message.find(piece, at);
    if (found == std::string_view::npos || (first && found != 0))
      return false;
    at = found + piece.size();
    form.remove_prefix(hole == std::string_view::npos ? form.size() : hole + 2);
  }
  return true;
}

// The code of what the runtime library says.
const char *codeOf(std::string_view message) {
  for (const char *code : foundByRuntime)
    if (hasForm(message, findDiagnostic(code)->text))
      return code;
  return RunsDiag::FoundWhileRunning.code;
}

std::optional<Severity> severityNamed(std::string_view name) {
  for (Severity severity :
       {Severity::Error, Severity::Warning, Severity::Information, Severity::Hint, Severity::Note})
    if (name == severityName(severity))
      return severity;
  return std::nullopt;
}

// The number that ends a text, and the text before it and a colon.
std::optional<int> takeNumber(std::string_view &text) {
  size_t colon = text.rfind(':');
  if (colon == std::string_view::npos)
    return std::nullopt;
  int number = 0;
  const char *begin = text.data() + colon + 1, *end = text.data() + text.size();
  auto [last, error] = std::from_chars(begin, end, number);
  if (begin == end || last != end || error != std::errc() || number < 0)
    return std::nullopt;
  text = text.substr(0, colon);
  return number;
}

// "solver.cuf:12:5", or without a column; the path is not completed.
std::optional<SourceRange> placeIn(std::string_view text) {
  std::optional<int> last = takeNumber(text);
  if (!last || text.empty())
    return std::nullopt;
  std::string_view shorter = text;
  std::optional<int> line = takeNumber(shorter);
  if (line && !shorter.empty())
    return SourceRange{std::string(shorter), *line, *last, *line, *last};
  return SourceRange{std::string(text), *last, 1, *last, 1};
}

// "[CUF0101]" at the end of a compiler's message.
std::string takeCode(std::string &message) {
  constexpr size_t length = 10; // " [CUF0101]"
  if (message.size() < length || message.back() != ']' ||
      message.compare(message.size() - length, 5, " [CUF") != 0)
    return {};
  std::string code = message.substr(message.size() - length + 2, 7);
  message.resize(message.size() - length);
  return code;
}

bool isNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

void extendToWord(SourceRange &range, SourceLines &lines) {
  if (range.line < 1 || range.endLine != range.line || range.endColumn > range.column)
    return;
  std::string_view line = lines.line(range.file, range.line);
  auto at = static_cast<size_t>(std::max(1, range.column) - 1);
  while (at < line.size() && isNameCharacter(line[at]))
    ++at;
  range.endColumn = std::max(static_cast<int>(at) + 1, range.column + 1);
}

bool isSame(const Diagnostic &a, const Diagnostic &b) {
  return a.range.file == b.range.file && a.range.line == b.range.line &&
         a.range.column == b.range.column && a.message == b.message;
}

} // namespace

bool RunMessages::take(const std::string &line) {
  if (line.empty() || line.size() > longestLine)
    return false;
  if (mayHaveCarets && takeCarets(line))
    return true;
  if (takePlaced(line) || takeRuntime(line)) {
    mayHaveCarets = true;
    return true;
  }
  return false;
}

void RunMessages::takeText(const std::string &text) {
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    take(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

// "file:line:column: error: text [CUF0101]", as `render` and the runtime library write it.
bool RunMessages::takePlaced(const std::string &line) {
  for (size_t at = line.find(": "); at != std::string::npos; at = line.find(": ", at + 1)) {
    size_t end = line.find(": ", at + 2);
    if (end == std::string::npos)
      return false;
    std::optional<Severity> severity =
        severityNamed(std::string_view(line).substr(at + 2, end - at - 2));
    std::optional<SourceRange> place = placeIn(std::string_view(line).substr(0, at));
    if (!severity || !place)
      continue;
    place->file = absolutePath(place->file, folder);
    std::string message = line.substr(end + 2), code = takeCode(message);
    Diagnostic found{*severity, code, message, *place, {}, {}};
    if (*severity == Severity::Note) {
      if (!list.empty())
        list.back().related.push_back(std::move(found));
      return !list.empty();
    }
    if (code.empty())
      found.code = codeOf(message);
    list.push_back(std::move(found));
    return true;
  }
  return false;
}

// The line below a quoted one, which says how long the place is.
bool RunMessages::takeCarets(const std::string &line) {
  size_t begin = line.find_first_not_of(' ');
  bool carets = begin != std::string::npos && line[begin] == '^' &&
                line.find_first_not_of("^~", begin) == std::string::npos;
  if (!carets)
    return false;
  mayHaveCarets = false;
  SourceRange &range =
      list.back().related.empty() ? list.back().range : list.back().related.back().range;
  if (range.endColumn == range.column)
    range.endColumn = range.column + static_cast<int>(line.size() - begin);
  return true;
}

// Without a place, or in the form of flang's run-time library.
bool RunMessages::takeRuntime(const std::string &line) {
  constexpr std::string_view ours = "cufrt: ", fatal = "fatal Fortran runtime error(";
  if (line.starts_with(ours) &&
      std::string_view(codeOf(line.substr(ours.size()))) == RunsDiag::KernelAbandoned.code) {
    list.push_back(
        {Severity::Error, RunsDiag::KernelAbandoned.code, line.substr(ours.size()), {}, {}, {}});
    return true;
  }
  size_t end = line.find("): ");
  if (!line.starts_with(fatal) || end == std::string::npos)
    return false;
  std::optional<SourceRange> place =
      placeIn(std::string_view(line).substr(fatal.size(), end - fatal.size()));
  if (!place)
    return false;
  place->file = absolutePath(place->file, folder);
  list.push_back(
      {Severity::Error, RunsDiag::FoundWhileRunning.code, line.substr(end + 3), *place, {}, {}});
  return true;
}

std::vector<Diagnostic> RunMessages::diagnostics() const {
  SourceLines lines;
  std::vector<Diagnostic> result;
  for (Diagnostic found : list) {
    if (std::any_of(result.begin(), result.end(),
                    [&](const Diagnostic &other) { return isSame(found, other); }))
      continue;
    extendToWord(found.range, lines);
    for (Diagnostic &related : found.related)
      extendToWord(related.range, lines);
    result.push_back(std::move(found));
  }
  return result;
}

} // namespace cufc
