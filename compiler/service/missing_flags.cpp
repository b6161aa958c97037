// See missing_flags.h. Conditions are looked at as text: a macro counts as decisive where an error
// is about a name that stands in lines under it.
#include "service/missing_flags.h"
#include "base/source_text.h"
#include "project/ask_build.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <map>

namespace cufc {
namespace {

constexpr const char *fileNotThere = "CUF1008", *moduleNotThere = "CUF1103";

// Errors about names that something else may declare.
bool isAboutNames(const Diagnostic &diagnostic) {
  static constexpr std::array<std::string_view, 5> codes{"CUF1101", "CUF1104", "CUF1106", "CUF1107",
                                                         "CUF1109"};
  return std::find(codes.begin(), codes.end(), diagnostic.code) != codes.end();
}

bool isSyntax(const Diagnostic &diagnostic) {
  const DiagnosticInfo *row = findDiagnostic(diagnostic.code);
  return row && std::string_view(row->group) == "syntax";
}

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char &c : result)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::vector<std::string> wordsIn(std::string_view line) {
  std::vector<std::string> words;
  for (size_t at = 0; at < line.size();) {
    size_t end = at;
    while (end < line.size() && isWordCharacter(line[end]))
      ++end;
    if (end > at && !std::isdigit(static_cast<unsigned char>(line[at])))
      words.emplace_back(line.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return words;
}

// What stands under conditions of a text, by its macros.
class Conditions {
public:
  Conditions(const std::string &text, const std::vector<std::string> &macros) {
    for (const std::string &macro : macros)
      known.insert(macro.substr(0, macro.find('=')));
    for (std::string_view line : linesOf(text))
      take(line);
  }

  // Macros that nobody defines and under which a name stands.
  std::set<std::string> over(const std::string &name) const {
    auto found = names.find(lower(name));
    return found == names.end() ? std::set<std::string>() : found->second;
  }

private:
  void take(std::string_view line) {
    size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos || line[begin] != '#') {
      if (!open.empty())
        for (const std::string &word : wordsIn(line.substr(0, line.find('!'))))
          for (const std::set<std::string> &macros : open)
            names[lower(word)].insert(macros.begin(), macros.end());
      return;
    }
    std::vector<std::string> words = wordsIn(line.substr(begin));
    std::string directive = words.empty() ? "" : words[0];
    if (directive == "define" && words.size() > 1)
      known.insert(words[1]);
    else if (directive.starts_with("if"))
      open.push_back(unknownOf(words));
    else if (directive == "elif" && !open.empty())
      open.back().merge(unknownOf(words));
    else if (directive == "endif" && !open.empty())
      open.pop_back();
  }

  std::set<std::string> unknownOf(const std::vector<std::string> &words) const {
    std::set<std::string> result;
    for (size_t i = 1; i < words.size(); ++i)
      if (words[i] != "defined" && !words[i].starts_with("__") && !known.contains(words[i]))
        result.insert(words[i]);
    return result;
  }

  std::set<std::string> known;
  std::vector<std::set<std::string>> open;
  std::map<std::string, std::set<std::string>> names; // in lower case, with the macros over them
};

std::string textAt(const SourceRange &range, const std::vector<std::string_view> &lines) {
  if (range.line < 1 || static_cast<size_t>(range.line) > lines.size() ||
      range.line != range.endLine)
    return {};
  std::string_view line = lines[static_cast<size_t>(range.line) - 1];
  auto begin = static_cast<size_t>(std::max(range.column - 1, 0));
  if (begin >= line.size())
    return {};
  return std::string(line.substr(begin, static_cast<size_t>(range.endColumn - range.column)));
}

} // namespace

void dropConsequencesOfIncludes(Analysis &analysis) {
  int first = 0;
  for (const Diagnostic &d : analysis.diagnostics)
    if (d.code == fileNotThere && (first == 0 || d.range.line < first))
      first = d.range.line;
  if (first == 0)
    return;
  std::erase_if(analysis.diagnostics, [&](const Diagnostic &d) {
    return d.severity == Severity::Error && d.code != fileNotThere &&
           (isAboutNames(d) || (isSyntax(d) && d.range.line > first));
  });
}

void MissingFlags::add(const Analysis &analysis, const std::string &path, const std::string &text,
                       const std::vector<std::string> &macros) {
  std::vector<std::string> names;
  std::vector<std::string_view> lines;
  for (const Diagnostic &d : analysis.diagnostics) {
    if (d.severity != Severity::Error || d.range.file != path)
      continue;
    if (d.code == fileNotThere || d.code == moduleNotThere)
      files.insert(path);
    if (!isAboutNames(d))
      continue;
    if (lines.empty())
      lines = linesOf(text);
    names.push_back(textAt(d.range, lines));
  }
  if (names.empty() || text.find("#if") == std::string::npos)
    return;
  Conditions conditions(text, macros);
  for (const std::string &name : names)
    for (const std::string &macro : conditions.over(name)) {
      undefined.insert(macro);
      files.insert(path);
    }
}

std::vector<Diagnostic> MissingFlags::notice(const Project &project, const std::string &how) const {
  if (files.empty() || project.origin != Project::Origin::Folder)
    return {};
  std::vector<std::string> builds = buildsOf(project.root);
  std::erase(builds, "compile_commands");
  if (builds.empty())
    return {};
  constexpr size_t most = 5;
  std::string macros;
  size_t count = 0;
  for (const std::string &macro : undefined)
    if (count++ < most)
      macros += (macros.empty() ? " (" : ", ") + macro;
  Diagnostics list;
  list.report(FlagsDiag::FlagsMissing, {},
              files.size() == 1 ? "1 file" : fmt::format("{} files", files.size()), project.root,
              files.size() == 1 ? "s" : "", macros.empty() ? "" : macros + ")",
              fmt::format(fmt::runtime(how), builds.front()));
  return list.list();
}

} // namespace cufc
