// A message belongs to the row whose pattern fits and has the most text of its own, so that the
// order of rows has no meaning. Rows of errors are for errors, those of warnings for warnings; what
// fits no row gets a general code.
#include "frontend/flang_codes.h"
#include <algorithm>
#include <cctype>
#include <tuple>

namespace cufc {
namespace {

struct Pattern {
  std::string_view code;
  std::string_view pattern;
  std::string_view text; // empty: as flang says it; "@": as the code's row says it
};

constexpr Pattern patterns[] = {
#define CUF_FLANG(code, pattern, text) {code, pattern, text},
#include "tables/flang_messages.def"
};

struct Category {
  std::string_view code;
  std::string_view name;
};

constexpr Category categories[] = {
#define CUF_FLANG_WARNING(code, category) {code, category},
#include "tables/flang_messages.def"
};

constexpr std::string_view generalError = "CUF1390", generalWarning = "CUF1391",
                           extension = "CUF1392";

size_t weight(const Pattern &row) {
  return row.pattern.size() - 2 * std::count(row.pattern.begin(), row.pattern.end(), '{');
}

// "{0}" and so on in `text` become what the holes stand for; "{}" takes them in order.
std::string filled(std::string_view text, const std::vector<std::string_view> &holes) {
  std::string result;
  size_t next = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    size_t end = text[at] == '{' ? text.find('}', at) : std::string_view::npos;
    if (end == std::string_view::npos) {
      result += text[at];
      continue;
    }
    size_t number = end == at + 1 ? next++ : static_cast<size_t>(text[at + 1] - '0');
    if (number < holes.size())
      result += holes[number];
    at = end;
  }
  return result;
}

// flang writes constants with their kinds, 'x(1_8)', and names of arguments with an equals sign,
// 'x=', which nobody has typed.
std::string asTyped(std::string_view text) {
  auto isDigit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  auto isName = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  std::string result;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && isDigit(text[end]))
      ++end;
    bool begins = end > at && (at == 0 || !isName(text[at - 1]));
    bool kind = begins && end + 1 < text.size() && text[end] == '_' &&
                (text[end + 1] == '4' || text[end + 1] == '8') &&
                (end + 2 == text.size() || !isName(text[end + 2]));
    end = std::max(end, at + 1);
    bool keyword = at > 0 && isName(text[at - 1]) && text.substr(at, 2) == "='";
    result.append(text, at, keyword ? 0 : end - at);
    at = kind ? end + 2 : end;
  }
  return result;
}

// The best row for a text among those with a code for its severity, or those for related messages.
const Pattern *bestPattern(std::string_view text, const Diagnostic *coded,
                           std::string_view codeWanted, std::vector<std::string_view> &holes) {
  const Pattern *best = nullptr;
  std::vector<std::string_view> found;
  for (const Pattern &row : patterns) {
    if ((best && weight(row) <= weight(*best)) || (!codeWanted.empty() && row.code != codeWanted) ||
        !matchPattern(row.pattern, text, found))
      continue;
    if (coded) { // its severity must be that of the row's code
      const DiagnosticInfo *info = findDiagnostic(row.code);
      if (!info || info->severity != coded->severity)
        continue;
    } else if (row.text.empty()) {
      continue;
    }
    best = &row;
    holes = found;
  }
  return best;
}

void setText(Diagnostic &diagnostic, const Pattern *row,
             const std::vector<std::string_view> &holes) {
  if (row && !row->text.empty())
    diagnostic.message =
        filled(row->text == "@" ? findDiagnostic(row->code)->text : row->text, holes);
}

void rewordRelated(Diagnostic &related) {
  related.message = asTyped(related.message);
  std::string text = related.message; // holes are parts of it
  std::vector<std::string_view> holes;
  setText(related, bestPattern(text, nullptr, {}, holes), holes);
}

auto placeOf(const Diagnostic &d) { return std::tie(d.range.file, d.range.line, d.range.column); }

// Whether the range of one lies in that of the other.
bool isInside(const Diagnostic &inner, const Diagnostic &outer) {
  auto begin = [](const SourceRange &r) { return std::pair(r.line, r.column); };
  auto end = [](const SourceRange &r) { return std::pair(r.endLine, r.endColumn); };
  return inner.range.file == outer.range.file && begin(outer.range) <= begin(inner.range) &&
         end(inner.range) <= end(outer.range);
}

// Ranks, extents and types of an assignment are wrong as a whole because a part of its right side
// is, about which there is an error of its own.
bool followsFromParts(const Diagnostic &d, const Diagnostic &part) {
  if (d.code != "CUF1205" && d.code != "CUF1204")
    return false;
  bool onTheRight = d.message.find("left-hand side") != std::string::npos &&
                    part.range.file == d.range.file && part.range.line == d.range.line &&
                    part.range.column > d.range.column;
  return onTheRight || (isInside(part, d) && !isInside(d, part));
}

// What is said of the arguments of a call that is wrong as a whole: host procedures, called in
// device code, take host data.
bool followsFromCall(const Diagnostic &d, const Diagnostic &call) {
  return d.code == "CUF0219" && call.code == "CUF0201" && isInside(d, call);
}

void joinAtOnePlace(std::vector<Diagnostic> &diagnostics) {
  std::vector<Diagnostic> result;
  for (Diagnostic &d : diagnostics) {
    bool joins = !result.empty() && d.severity == Severity::Error &&
                 result.back().severity == Severity::Error && d.range.line > 0 &&
                 placeOf(d) == placeOf(result.back());
    if (!joins) {
      result.push_back(std::move(d));
      continue;
    }
    Diagnostic &first = result.back();
    if (d.related.size() > first.related.size()) // the one that explains more
      std::swap(d, first);
    first.related.push_back({Severity::Note, {}, d.message, d.range});
    first.fixes.insert(first.fixes.end(), d.fixes.begin(), d.fixes.end());
  }
  diagnostics = std::move(result);
}

} // namespace

void giveCode(Diagnostic &diagnostic, const FlangWarning &warning) {
  // A module file is no place to look at.
  auto isNoHelp = [](const Diagnostic &related) {
    const std::string &file = related.range.file;
    return file.size() > 4 && file.compare(file.size() - 4, 4, ".mod") == 0 &&
           isPhrase(related.message, Phrase::Declaration);
  };
  std::vector<Diagnostic> &notes = diagnostic.related;
  notes.erase(std::remove_if(notes.begin(), notes.end(), isNoHelp), notes.end());
  for (Diagnostic &related : notes)
    rewordRelated(related);
  if (!diagnostic.code.empty())
    return;
  diagnostic.message = asTyped(diagnostic.message);
  std::string_view code;
  if (diagnostic.severity == Severity::Warning)
    for (const Category &row : categories)
      if (row.name == warning.category)
        code = row.code;
  std::string text = diagnostic.message; // holes are parts of it
  std::vector<std::string_view> holes;
  const Pattern *row = bestPattern(text, &diagnostic, code, holes);
  setText(diagnostic, row, holes);
  if (code.empty() && row)
    code = row->code;
  if (code.empty())
    code = diagnostic.severity == Severity::Error ? generalError
           : warning.extension                    ? extension
                                                  : generalWarning;
  diagnostic.code = code;
}

void mergeErrors(std::vector<Diagnostic> &diagnostics) {
  auto follows = [](const Diagnostic &d, const Diagnostic &other) {
    if (&d == &other || other.severity != Severity::Error)
      return false;
    return followsFromParts(d, other) || followsFromCall(d, other);
  };
  std::vector<Diagnostic> result;
  for (const Diagnostic &d : diagnostics)
    if (d.severity != Severity::Error || d.range.line == 0 ||
        std::none_of(diagnostics.begin(), diagnostics.end(),
                     [&](const Diagnostic &other) { return follows(d, other); }))
      result.push_back(d);
  joinAtOnePlace(result);
  diagnostics = std::move(result);
}

} // namespace cufc
