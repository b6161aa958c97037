// A scan for MODULE, SUBMODULE and USE statements, and a topological sort.
#include "project/module_graph.h"
#include <cctype>
#include <map>
#include <set>
#include <string_view>

namespace cufc {
namespace {

bool isNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Reads words and punctuation of one statement, in lower case.
class Words {
public:
  explicit Words(std::string_view text) : text(text) {}

  // The next name, or one punctuation character, or empty at the end.
  std::string next() {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
    start = at;
    if (at == text.size() || text[at] == '!')
      return {};
    if (!isNameCharacter(text[at]))
      return std::string(1, text[at++]);
    std::string word;
    while (at < text.size() && isNameCharacter(text[at]))
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(text[at++])));
    return word;
  }
  int column() const { return static_cast<int>(start) + 1; }

private:
  std::string_view text;
  size_t at = 0, start = 0;
};

class Scanner {
public:
  Scanner(const std::string &path, ModuleFacts &facts) : path(path), facts(facts) {}

  void statement(std::string_view text, int line) {
    Words words(text);
    std::string first = words.next();
    if (first == "use")
      use(words, line);
    else if (first == "module")
      module(words, line);
    else if (first == "submodule")
      submodule(words, line);
  }

private:
  ModuleStatement at(const Words &words, int line, const std::string &name) {
    int end = words.column() + static_cast<int>(name.size());
    return {name, {path, line, words.column(), line, end}};
  }

  // use m | use :: m | use, intrinsic :: m
  void use(Words &words, int line) {
    std::string word = words.next();
    if (word == ",") {
      if (words.next() == "intrinsic")
        return;
      word = words.next();
    }
    while (word == ":")
      word = words.next();
    if (!word.empty() && isNameCharacter(word[0]))
      facts.uses.push_back(at(words, line, word));
  }

  // module m, but not "module procedure" and the like.
  void module(Words &words, int line) {
    std::string name = words.next();
    if (name.empty() || !isNameCharacter(name[0]))
      return;
    ModuleStatement statement = at(words, line, name);
    std::string rest = words.next();
    if (rest.empty() || rest == ";")
      facts.defines.push_back(statement);
  }

  // submodule (ancestor[:parent]) name
  void submodule(Words &words, int line) {
    if (words.next() != "(")
      return;
    std::string ancestor = words.next();
    std::string parent = ancestor;
    ModuleStatement used = at(words, line, ancestor);
    if (words.next() == ":") {
      parent += ":" + words.next();
      words.next();
    }
    used.name = parent;
    facts.uses.push_back(used);
    facts.defines.push_back(at(words, line, ancestor + ":" + words.next()));
  }

  const std::string &path;
  ModuleFacts &facts;
};

bool isComment(std::string_view line, bool fixedForm) {
  if (line.empty() || line[0] == '#')
    return true;
  if (fixedForm)
    return std::string_view("cC*!").find(line[0]) != std::string_view::npos;
  size_t first = line.find_first_not_of(" \t");
  return first == std::string_view::npos || line[first] == '!';
}

// Depth-first search; `path` is the chain of files being visited.
class Sorter {
public:
  Sorter(const std::vector<ModuleFacts> &files, Diagnostics &diagnostics)
      : files(files), diagnostics(diagnostics), depth(files.size(), -1) {}

  bool collectDefinitions() {
    bool good = true;
    for (size_t i = 0; i < files.size(); ++i)
      for (const ModuleStatement &statement : files[i].defines) {
        auto [known, isNew] = definedIn.emplace(statement.name, i);
        if (isNew || known->second == i)
          continue;
        std::string other = files[known->second].defines.front().range.file;
        diagnostics.report(Diag::ModuleTwice, statement.range, statement.name, other);
        good = false;
      }
    return good;
  }

  bool visit(size_t file) {
    if (depth[file] >= 0)
      return true;
    visiting.push_back(file);
    int level = 0;
    for (const ModuleStatement &statement : files[file].uses) {
      auto found = definedIn.find(statement.name);
      if (found == definedIn.end() || found->second == file)
        continue;
      if (reportCycle(found->second, statement))
        return false;
      if (!visit(found->second))
        return false;
      level = std::max(level, depth[found->second] + 1);
    }
    visiting.pop_back();
    depth[file] = level;
    return true;
  }

  int depthOf(size_t file) const { return depth[file]; }

private:
  bool reportCycle(size_t target, const ModuleStatement &statement) {
    size_t begin = 0;
    while (begin < visiting.size() && visiting[begin] != target)
      ++begin;
    if (begin == visiting.size())
      return false;
    std::string chain = statement.name;
    for (size_t i = begin; i < visiting.size(); ++i)
      chain += " <- " + files[visiting[i]].uses.front().range.file;
    diagnostics.report(Diag::ModuleCycle, statement.range, chain);
    return true;
  }

  const std::vector<ModuleFacts> &files;
  Diagnostics &diagnostics;
  std::map<std::string, size_t> definedIn;
  std::vector<int> depth;
  std::vector<size_t> visiting;
};

} // namespace

ModuleFacts scanModules(const std::string &path, const std::string &text, bool fixedForm) {
  ModuleFacts facts;
  Scanner scanner(path, facts);
  int lineNumber = 1;
  for (size_t begin = 0; begin < text.size(); ++lineNumber) {
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line(text.data() + begin, end - begin);
    if (!line.empty() && line.back() == '\r')
      line.remove_suffix(1);
    if (!isComment(line, fixedForm))
      scanner.statement(line, lineNumber);
    begin = end + 1;
  }
  return facts;
}

std::vector<std::vector<size_t>> compilationOrder(const std::vector<ModuleFacts> &files,
                                                  Diagnostics &diagnostics) {
  Sorter sorter(files, diagnostics);
  if (!sorter.collectDefinitions())
    return {};
  std::vector<std::vector<size_t>> order;
  for (size_t i = 0; i < files.size(); ++i) {
    if (!sorter.visit(i))
      return {};
    if (order.size() <= static_cast<size_t>(sorter.depthOf(i)))
      order.resize(sorter.depthOf(i) + 1);
  }
  for (size_t i = 0; i < files.size(); ++i)
    order[sorter.depthOf(i)].push_back(i);
  return order;
}

} // namespace cufc
