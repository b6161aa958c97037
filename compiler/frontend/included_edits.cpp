// See included_edits.h. The line `#include "a.h"`, number 7, becomes
//
//   !cufc-included 12:5:6 12:20:3        what was inserted: line, column, length
//   #line 1 "a.h"
//   text of a.h
//   #line 7 "main.cuf"
//   !#include "a.h"
#include "frontend/included_edits.h"
#include "base/files.h"
#include "frontend/messages.h"
#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

namespace cufc {
namespace {

using namespace Fortran;

constexpr std::string_view mark = "!cufc-included";

struct Included {
  std::string path;       // as flang names it
  std::string text;       // as it was written
  std::vector<int> lines; // of the source that include it
};

// A nested file would be looked for in the folder of the one that includes it.
bool includesOthers(std::string_view text) {
  for (size_t at = 0; at < text.size(); at = std::min(text.find('\n', at), text.size()) + 1) {
    size_t word = text.find_first_not_of(" \t#", at);
    if (word == std::string_view::npos)
      return false;
    std::string first;
    for (char c : text.substr(word, 7))
      first += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (first == "include")
      return true;
    at = word;
  }
  return false;
}

bool isBefore(const Edit &a, const Edit &b) {
  return std::tie(a.line, a.column, a.text) < std::tie(b.line, b.column, b.text);
}

bool isSame(const Edit &a, const Edit &b) { return !isBefore(a, b) && !isBefore(b, a); }

std::string textFor(const Included &file, const Rewrite &edited, int line,
                    const std::string &source) {
  std::string text = "\n" + std::string(mark);
  for (const Insertion &insertion : edited.insertions)
    text += " " + std::to_string(insertion.line) + ":" + std::to_string(insertion.column) + ":" +
            std::to_string(insertion.length);
  text += "\n#line 1 \"" + file.path + "\"\n" + edited.text;
  if (text.back() != '\n')
    text += '\n';
  return text + "#line " + std::to_string(line) + " \"" + source + "\"\n!";
}

int numberIn(std::string_view text, size_t &at) {
  int number = 0;
  at = static_cast<size_t>(
      std::from_chars(text.data() + at, text.data() + text.size(), number).ptr - text.data());
  return number;
}

// Calls visit(path, list of insertions) for the files in a rewritten text.
template <typename Visit>
void forEachIncluded(const std::string &text, const Visit &visit) {
  const std::string begin = "\n" + std::string(mark), name = "\n#line 1 \"";
  for (size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
    size_t end = text.find('\n', at + 1);
    if (end == std::string::npos || text.compare(end, name.size(), name) != 0)
      continue;
    size_t path = end + name.size();
    std::string_view list =
        std::string_view(text).substr(at + begin.size(), end - at - begin.size());
    visit(text.substr(path, text.find("\"\n", path) - path), list);
  }
}

// Those of an earlier round, which stand in the source now.
void addExpanded(const FlangProgram &program, std::map<std::string, Included> &files) {
  const std::string &all = program.rewrite.text;
  const std::string back = " \"" + program.path + "\"\n!";
  forEachIncluded(all, [&](const std::string &path, std::string_view list) {
    size_t behind = static_cast<size_t>(list.data() - all.data()) + list.size();
    constexpr std::string_view directive = "\n#line ";
    for (size_t at = all.find(directive, behind + 1); at != std::string::npos;
         at = all.find(directive, at + 1)) {
      size_t number = at + directive.size();
      int line = numberIn(all, number);
      if (all.compare(number, back.size(), back) != 0)
        continue;
      Included &included = files[path];
      included.path = path;
      if (included.text.empty() && !readFile(path, included.text))
        files.erase(path);
      else
        included.lines.push_back(line);
      break;
    }
  });
}

std::map<std::string, Included> includedFiles(const FlangProgram &program) {
  std::map<std::string, Included> files;
  const parser::AllSources &sources = program.sources;
  for (size_t at = 1; at <= sources.size();) {
    parser::Provenance place{at};
    const parser::SourceFile *file = sources.GetSourceFile(place);
    bool begins = file && file->bytes() > 0 && &sources[place] == file->content().data();
    at += begins ? file->bytes() : 1;
    auto from = begins ? sources.GetInclusionInfo(parser::ProvenanceRange{place, 1}) : std::nullopt;
    auto line = from ? sources.GetSourcePosition(from->start()) : std::nullopt;
    if (!line || userPath(program, *line->path) != program.path)
      continue;
    Included &included = files[file->path()];
    included.path = file->path();
    included.text.assign(file->content().data(), file->content().size());
    included.lines.push_back(line->line);
  }
  addExpanded(program, files);
  return files;
}

} // namespace

std::vector<Edit>
editsOfIncludedFiles(const FlangProgram &program, bool fixedForm, int fixedColumns,
                     const std::function<std::vector<Edit>(const std::string &path)> &editsOf) {
  std::vector<Edit> result;
  for (auto &[path, file] : includedFiles(program)) {
    std::vector<Edit> edits = editsOf(path);
    std::sort(edits.begin(), edits.end(), isBefore);
    edits.erase(std::unique(edits.begin(), edits.end(), isSame), edits.end());
    std::string text = file.text;
    if (fixedForm)
      cutLines(text, static_cast<size_t>(fixedColumns));
    Rewrite edited = rewriteDialect(text, fixedForm, edits);
    bool nested = includesOthers(text) && directoryOf(path) != directoryOf(program.path);
    if (!edited.changed || nested)
      continue;
    for (int line : file.lines)
      result.push_back({line, 1, textFor(file, edited, line, program.path)});
  }
  return result;
}

std::vector<std::string> includedFilesIn(const Rewrite &rewrite) {
  std::vector<std::string> paths;
  forEachIncluded(rewrite.text, [&](const std::string &path, std::string_view) {
    if (std::find(paths.begin(), paths.end(), path) == paths.end())
      paths.push_back(path);
  });
  return paths;
}

int originalColumn(const FlangProgram &program, const std::string &path, int line, int column) {
  if (userPath(program, path) == program.path)
    return program.rewrite.originalColumn(line, column);
  Rewrite ofFile;
  forEachIncluded(program.rewrite.text, [&](const std::string &name, std::string_view list) {
    if (name != path || !ofFile.insertions.empty())
      return;
    for (size_t at = list.find(' '); at != std::string_view::npos; at = list.find(' ', at)) {
      int row = numberIn(list, ++at);
      int place = numberIn(list, ++at);
      ofFile.insertions.push_back({row, place, numberIn(list, ++at)});
    }
  });
  return ofFile.originalColumn(line, column);
}

void cutLines(std::string &text, size_t columns) {
  std::string result;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    result.append(text, begin, std::min(end - begin, columns)).append("\n");
    begin = end + 1;
  }
  text = std::move(result);
}

} // namespace cufc
