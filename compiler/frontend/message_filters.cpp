// See message_filters.h.
#include "frontend/message_filters.h"
#include "base/flang_phrases.h"
#include "base/source_text.h"
#include "flang/Semantics/scope.h"
#include "frontend/name_suggestions.h"
#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

namespace cufc {
namespace {

using Scope = Fortran::semantics::Scope;

// What lacks because a module or a type is missing: names in program units that use such a module,
// names that are declared with such a type, and their components.
class Consequences {
public:
  // With `partial`, modules lack names that belong to ones that are not there.
  Consequences(const std::vector<Found> &found, bool partial) : partial(partial) {
    for (const Found &f : found)
      if (f.diagnostic.code == "CUF1103")
        incomplete.insert(f.scope);
      else if (f.diagnostic.code == "CUF1106" || f.diagnostic.code == "CUF1049")
        lines.insert({f.diagnostic.range.file, f.diagnostic.range.line});
    for (const Found &f : found)
      if (const Diagnostic &d = f.diagnostic;
          d.code == "CUF1101" && lines.count({d.range.file, d.range.line}))
        names.insert({unitOf(f.scope), d.message});
    for (const Found &f : found)
      if (f.diagnostic.code != noObject)
        errorLines.insert({f.diagnostic.range.file, f.diagnostic.range.line});
  }

  bool include(const Found &f) const {
    const Diagnostic &d = f.diagnostic;
    if (isPhrase(d.message, Phrase::ImplicitlyTyped) &&
        (partial || !(lines.empty() && incomplete.empty())))
      return true;
    // Of a generic name or an operator procedures may be missing.
    if (partial && (d.code == "CUF1104" || d.code == "CUF1107" || d.code == "CUF1214" ||
                    (d.code == "CUF1203" && d.message.find(isNotDefined) != d.message.npos)))
      return true;
    if (d.code == "CUF1101" && names.count({unitOf(f.scope), d.message}))
      return true;
    if (d.code == noObject && isPhrase(d.message, Phrase::NoObject))
      return !lines.empty() || hasBadSelector(d) || partial || inIncomplete(f.scope);
    // An imported name, a kind after "_", and a procedure that is called with keywords, may be the
    // module's.
    bool imported = d.code == "CUF1104" && isPhrase(d.message, Phrase::NotInHostScope);
    bool kind = d.code == "CUF1390" && isPhrase(d.message, Phrase::KindParameter);
    bool keywords = d.code == "CUF1216" && d.message.rfind("keywords need", 0) == 0;
    return (imported || kind || keywords || d.code == "CUF1101" || d.code == "CUF1106" ||
            d.code == "CUF1109") &&
           (partial || inIncomplete(f.scope));
  }

private:
  // An ASSOCIATE name whose selector means nothing: the selector's error says it.
  bool hasBadSelector(const Diagnostic &diagnostic) const {
    return std::any_of(diagnostic.related.begin(), diagnostic.related.end(),
                       [&](const Diagnostic &note) {
                         return note.range.line != diagnostic.range.line &&
                                errorLines.count({note.range.file, note.range.line});
                       });
  }
  bool inIncomplete(const Scope *scope) const {
    for (; scope; scope = scope->IsTopLevel() ? nullptr : &scope->parent())
      if (incomplete.count(scope))
        return true;
    return false;
  }

  static constexpr std::string_view noObject = "CUF1110";
  static constexpr std::string_view isNotDefined = " is not defined for "; // in our words
  const bool partial;
  std::set<std::pair<std::string, int>> errorLines;
  std::set<const Scope *> incomplete;          // that use a missing module
  std::set<std::pair<std::string, int>> lines; // of declarations with a missing type
  std::set<std::pair<const Scope *, std::string>> names;
};

// The names of arrays that should have been allocatable: that they are allocated follows.
std::set<std::string> arraysWithoutExtents(const std::vector<Diagnostic> &list) {
  std::set<std::string> names;
  for (const Diagnostic &d : list)
    if (size_t end = d.message.find("' needs its extents");
        d.code == "CUF1219" && end != std::string::npos)
      names.insert(lowerCase(d.message.substr(1, end - 1)));
  return names;
}

bool hasLaunch(const SourceRange &range, SourceLines &lines) {
  return lines.line(range.file, range.line).find("<<<") != std::string_view::npos;
}

} // namespace

void dropFollowers(std::vector<Found> &found, bool partial, DroppedMessages &dropped) {
  auto key = [](const Found &f) {
    const Diagnostic &d = f.diagnostic;
    return std::tie(d.range.file, d.range.line, d.range.column, d.message);
  };
  Consequences consequences(found, partial);
  std::sort(found.begin(), found.end(),
            [&](const Found &a, const Found &b) { return key(a) < key(b); });
  std::set<std::pair<const Scope *, std::string>> reported;
  std::vector<Found> kept;
  for (Found &f : found) {
    bool again = f.diagnostic.code == "CUF1101" &&
                 !reported.insert({unitOf(f.scope), f.diagnostic.message}).second;
    if (again)
      dropped.push_back({nameOf(MessageFilter::SameName), std::move(f.diagnostic)});
    else if (consequences.include(f))
      dropped.push_back({nameOf(MessageFilter::MissingModule), std::move(f.diagnostic)});
    else
      kept.push_back(std::move(f));
  }
  found = std::move(kept);
}

void dropRepeatedMistakes(std::vector<Diagnostic> &list, const FlangProgram &program) {
  std::set<std::tuple<std::string, int, std::string>> uses;
  std::set<std::pair<int, std::string>> codes;
  for (const Diagnostic &diagnostic : list)
    codes.insert({diagnostic.range.line, diagnostic.code});
  bool kernelFunction = std::any_of(
      program.replaceable.begin(), program.replaceable.end(),
      [](const Replaceable &message) { return isPhrase(message.text, Phrase::KernelFunction); });
  SourceLines lines;
  lines.add(program.path, program.source);
  bool moduleMissing = std::any_of(list.begin(), list.end(), [](const Diagnostic &d) {
    return d.code == "CUF1048" && d.message.find("dim3") != std::string::npos;
  });
  const std::set<std::string> arrays = arraysWithoutExtents(list);
  auto follows = [&](const Diagnostic &d) {
    if (d.code == "CUF1212" && d.range.endLine == d.range.line)
      return arrays.count(lowerCase(
                 lines.line(d.range.file, d.range.line)
                     .substr(static_cast<size_t>(d.range.column) - 1,
                             static_cast<size_t>(d.range.endColumn - d.range.column)))) != 0;
    auto has = [&](const char *code) { return codes.count({d.range.line, code}) != 0; };
    if (d.code == "CUF1048" && !d.fixes.empty()) {
      const TextEdit &edit = d.fixes.front().edits.front();
      return !uses.insert({d.range.file, edit.range.line, edit.text}).second;
    }
    return (d.code == "CUF1214" && has("CUF1109")) || (d.code == "CUF1309" && has("CUF1216")) ||
           (d.code == "CUF1252" && moduleMissing) ||
           (d.code == "CUF1109" && kernelFunction && hasLaunch(d.range, lines));
  };
  list.erase(std::remove_if(list.begin(), list.end(), follows), list.end());
}

} // namespace cufc
