// One pass over the statements and comments of a file. A comment behind a statement counts for all
// lines of that statement, since a diagnostic may stand in any of them; one that stands alone, for
// the lines up to the end of the next statement, directives between them included.
#include "source/allow_comments.h"
#include "base/diag.h"
#include "base/files.h"
#include "base/source_text.h"
#include "source/statements.h"
#include <algorithm>
#include <cctype>
#include <map>

namespace cufc {
namespace {

constexpr std::string_view blanks = " \t";

// Whether the text has "cufls:" in any case. Most texts have not, and few colons.
bool mentionsUs(std::string_view text) {
  constexpr std::string_view name = "cufls";
  for (size_t at = 0; (at = text.find(':', at)) != std::string_view::npos; ++at)
    if (at >= name.size() && lowerCase(text.substr(at - name.size(), name.size())) == name)
      return true;
  return false;
}

// Groups whose diagnostics the analysis of a file does not find, but the compiler or the linker.
bool isForeign(std::string_view key) {
  for (const DiagnosticInfo &row : allDiagnostics())
    if (key == row.code || key == row.group) {
      std::string_view group = row.group;
      bool cost = key == row.code && key.starts_with("CUF06"); // tables/occupancy.def
      return cost || group == "tools" || group == "internal" || group == "input";
    }
  return false;
}

// Takes a word of letters, digits, '_' and '-' from the front of `text`, after blanks.
std::string_view takeWord(std::string_view text, size_t &at) {
  at = std::min(text.find_first_not_of(blanks, at), text.size());
  size_t begin = at;
  while (at < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_' || text[at] == '-'))
    ++at;
  return text.substr(begin, at - begin);
}

} // namespace

AllowComments::AllowComments(const std::string &path, const std::string &text, bool fixedForm,
                             int fixedColumns)
    : path(path) {
  if (!mentionsUs(text))
    return;
  forEachStatementAndComment(
      text, fixedForm, fixedColumns,
      [&](const Statement &statement) {
        cover(statement.places.front().line, statement.places.back().line);
      },
      [&](const SourceComment &comment) {
        read(comment.text, comment.line, comment.column, comment.alone);
      });
}

// `comment` begins with its mark.
void AllowComments::read(std::string_view comment, int line, int column, bool alone) {
  size_t at = 1;
  while (at < comment.size() &&
         std::string_view("! \t>").find(comment[at]) != std::string_view::npos)
    ++at;
  constexpr std::string_view mark = "cufls:";
  if (lowerCase(comment.substr(at, mark.size())) != mark)
    return;
  at += mark.size();
  auto range = [&](size_t begin, size_t end) {
    return SourceRange{path, line, column + static_cast<int>(begin), line,
                       column + static_cast<int>(end)};
  };
  Comment found;
  found.range = range(0, comment.find_last_not_of(" \t\r") + 1);
  found.alone = alone;
  found.firstLine = found.lastLine = line;
  std::string verb = lowerCase(takeWord(comment, at));
  found.wholeFile = verb == "allow-file";
  found.malformed = verb != "allow" && verb != "allow-file";
  while (!found.malformed) {
    std::string_view word = takeWord(comment, at);
    found.malformed = word.empty();
    size_t begin = word.data() - comment.data();
    if (!word.empty())
      found.names.push_back(
          {std::string(word), diagnosticKey(word).value_or(""), range(begin, begin + word.size())});
    size_t next = std::min(comment.find_first_not_of(blanks, at), comment.size());
    if (next == comment.size() || comment[next] != ',')
      break;
    at = next + 1;
  }
  std::string because = lowerCase(takeWord(comment, at));
  bool atEnd = comment.find_first_not_of(" \t\r", at) == std::string_view::npos;
  found.malformed |= because.empty() ? !atEnd : because != "because";
  if (found.malformed)
    found.names.clear();
  comments.push_back(std::move(found));
}

// A statement ends here: comments above it that stand alone, and those behind its lines.
void AllowComments::cover(int firstLine, int lastLine) {
  for (Comment &comment : comments) {
    bool waits = comment.alone && comment.lastLine == comment.range.line && !comment.wholeFile &&
                 comment.range.line < firstLine;
    bool inside = comment.range.line >= firstLine && comment.range.line <= lastLine;
    if (inside)
      comment.firstLine = std::min(comment.firstLine, firstLine);
    if (waits || inside)
      comment.lastLine = std::max(comment.lastLine, lastLine);
  }
}

bool AllowComments::allows(const Diagnostic &diagnostic) {
  const DiagnosticInfo *row = findDiagnostic(diagnostic.code);
  if (!row || shownPath(diagnostic.range.file) != shownPath(path))
    return false;
  bool allowed = false;
  for (Comment &comment : comments)
    for (Name &name : comment.names) {
      bool here = comment.wholeFile || (diagnostic.range.line >= comment.firstLine &&
                                        diagnostic.range.line <= comment.lastLine);
      if (here && (name.key == row->code || name.key == row->group || name.key == "all")) {
        name.used = true;
        allowed = true;
      }
    }
  return allowed;
}

// Without the comment, or without one of several names; a comment alone on its line leaves the line
// empty.
Fix AllowComments::removal(const Comment &comment, const Name *name) const {
  if (!name || comment.names.size() == 1)
    return {"remove the comment", {{comment.range, ""}}};
  SourceRange range = name->range;
  if (name == &comment.names.back())
    range.column = (name - 1)->range.endColumn;
  else
    range.endColumn = (name + 1)->range.column;
  return {"remove '" + name->text + "'", {{range, ""}}};
}

void AllowComments::report(const DiagnosticSettings &settings, bool withoutEffect,
                           Diagnostics &diagnostics) const {
  auto isShown = [&](const std::string &key) {
    return std::any_of(allDiagnostics().begin(), allDiagnostics().end(),
                       [&](const DiagnosticInfo &row) {
                         return (key == "all" || key == row.code || key == row.group) &&
                                settings.severityOf({row.severity, row.code, "", {}});
                       });
  };
  for (const Comment &comment : comments) {
    if (comment.malformed)
      diagnostics.report(Diag::AllowMalformed, comment.range)
          .fixes.push_back(removal(comment, nullptr));
    for (const Name &name : comment.names)
      if (name.key.empty())
        diagnostics
            .report(Diag::AllowUnknown, name.range, name.text, nearestDiagnosticKey(name.text))
            .fixes.push_back(removal(comment, &name));
      else if (withoutEffect && !name.used && !isForeign(name.key) && isShown(name.key))
        diagnostics.report(Diag::AllowWithoutEffect, name.range, name.text)
            .fixes.push_back(removal(comment, &name));
  }
}

// The comments of files, each read when a diagnostic in it asks.
class CommentsOfFiles {
public:
  CommentsOfFiles(bool fixedForm, int fixedColumns)
      : fixedForm(fixedForm), fixedColumns(fixedColumns) {}

  AllowComments &add(const std::string &path, const std::string &text) {
    return files.try_emplace(shownPath(path), path, text, fixedForm, fixedColumns).first->second;
  }
  void dropAllowed(std::vector<Diagnostic> &list, bool errorsToo) {
    list.erase(std::remove_if(list.begin(), list.end(),
                              [&](const Diagnostic &d) {
                                bool counts = errorsToo || d.severity != Severity::Error;
                                return counts && !d.range.file.empty() &&
                                       of(d.range.file).allows(d);
                              }),
               list.end());
  }

private:
  AllowComments &of(const std::string &path) {
    auto found = files.find(shownPath(path));
    if (found != files.end())
      return found->second;
    std::string text;
    readFile(path, text);
    return add(path, text);
  }

  std::map<std::string, AllowComments> files; // by the path as it is shown
  bool fixedForm;
  int fixedColumns;
};

std::vector<Diagnostic> shownDiagnostics(std::vector<Diagnostic> list, const std::string &path,
                                         const std::string &text, bool fixedForm, int fixedColumns,
                                         const DiagnosticSettings &settings) {
  CommentsOfFiles files(fixedForm, fixedColumns);
  AllowComments &own = files.add(path, text);
  bool complete = std::none_of(list.begin(), list.end(),
                               [](const Diagnostic &d) { return d.severity == Severity::Error; });
  files.dropAllowed(list, true);
  Diagnostics further;
  own.report(settings, complete, further);
  list.insert(list.end(), further.list().begin(), further.list().end());
  return settings.apply(std::move(list));
}

std::vector<Diagnostic> withoutAllowedWarnings(std::vector<Diagnostic> list, bool fixedForm,
                                               int fixedColumns) {
  CommentsOfFiles(fixedForm, fixedColumns).dropAllowed(list, false);
  return list;
}

} // namespace cufc
