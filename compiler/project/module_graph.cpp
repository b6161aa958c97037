// A scan for MODULE, SUBMODULE and USE statements, and a topological sort.
#include "project/module_graph.h"
#include "base/diag.h"
#include "source/dialect_rewrite.h"
#include "source/statements.h"
#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>

namespace cufc {
namespace {

bool isNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Reads words and punctuation of one statement, in lower case.
class Words {
public:
  explicit Words(const Statement &statement) : statement(statement), text(statement.text) {}

  // The next name, or one punctuation character, or empty at the end.
  std::string next() {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
    start = at;
    if (at == text.size())
      return {};
    if (!isNameCharacter(text[at]))
      return std::string(1, text[at++]);
    std::string word;
    while (at < text.size() && isNameCharacter(text[at]))
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(text[at++])));
    return word;
  }

  // Where the word that `next` returned last stands; it is not empty.
  Statement::Place place() const { return statement.places[start]; }

private:
  const Statement &statement;
  std::string_view text;
  size_t at = 0, start = 0;
};

class Scanner {
public:
  Scanner(const std::string &path, ModuleFacts &facts) : path(path), facts(facts) {}

  void statement(const Statement &text) {
    Words words(text);
    std::string first = words.next();
    if (first == "use")
      use(words);
    else if (first == "module")
      module(words);
    else if (first == "submodule")
      submodule(words);
    else if (first == "endmodule")
      inside.clear();
    else if (first == "end")
      end(words);
  }

private:
  ModuleStatement at(const Words &words, const std::string &name) {
    auto [line, column] = words.place();
    return {name, {path, line, column, line, column + static_cast<int>(name.size())}};
  }

  // use m | use :: m | use, intrinsic :: m
  void use(Words &words) {
    std::string word = words.next();
    if (word == ",") {
      if (words.next() == "intrinsic")
        return;
      word = words.next();
    }
    while (word == ":")
      word = words.next();
    if (word.empty() || !isNameCharacter(word[0]))
      return;
    ModuleStatement statement = at(words, word);
    std::string rest = words.next();
    if (!rest.empty() && rest != ",")
      return; // a variable called use...
    (word == inside ? facts.usesItself : facts.uses).push_back(statement);
  }

  // module m, but not "module procedure" and the like.
  void module(Words &words) {
    std::string name = words.next();
    if (name.empty() || !isNameCharacter(name[0]))
      return;
    ModuleStatement statement = at(words, name);
    if (!words.next().empty())
      return;
    facts.defines.push_back(statement);
    inside = name;
  }

  // submodule (ancestor[:parent]) name
  void submodule(Words &words) {
    inside.clear();
    if (words.next() != "(")
      return;
    std::string ancestor = words.next();
    if (ancestor.empty())
      return;
    std::string parent = ancestor;
    ModuleStatement used = at(words, ancestor);
    if (words.next() == ":") {
      parent += ":" + words.next();
      words.next();
    }
    used.name = parent;
    std::string name = words.next();
    if (name.empty())
      return;
    facts.uses.push_back(used);
    ModuleStatement defined = at(words, name);
    defined.name = ancestor + ":" + name;
    facts.defines.push_back(defined);
  }

  // A bare END may be that of the module or of a procedure in it; then nothing is known any more.
  void end(Words &words) {
    std::string word = words.next();
    if (word.empty() || word == "module")
      inside.clear();
  }

  const std::string &path;
  ModuleFacts &facts;
  std::string inside; // the module that the statements belong to, as far as that is certain
};

// Depth-first search; `visiting` is the chain of files being visited.
class Sorter {
public:
  Sorter(const std::vector<ModuleFacts> &files, Diagnostics &diagnostics)
      : files(files), diagnostics(diagnostics), depth(files.size(), -1) {}

  bool collectDefinitions() {
    bool good = true;
    for (size_t i = 0; i < files.size(); ++i) {
      for (const ModuleStatement &statement : files[i].usesItself) {
        diagnostics.report(Diag::ModuleUsesItself, statement.range, statement.name);
        good = false;
      }
      for (const ModuleStatement &statement : files[i].defines) {
        auto [known, isNew] = definedIn.emplace(statement.name, i);
        if (isNew || known->second == i)
          continue;
        std::string other = files[known->second].defines.front().range.file;
        diagnostics.report(Diag::ModuleTwice, statement.range, statement.name, other);
        good = false;
      }
    }
    return good;
  }

  bool visit(size_t file) {
    if (depth[file] >= 0)
      return true;
    int level = 0;
    for (const ModuleStatement &statement : files[file].uses) {
      auto found = definedIn.find(statement.name);
      if (found == definedIn.end() || found->second == file)
        continue;
      visiting.push_back({file, &statement});
      if (reportCycle(found->second) || !visit(found->second))
        return false;
      visiting.pop_back();
      level = std::max(level, depth[found->second] + 1);
    }
    depth[file] = level;
    return true;
  }

  int depthOf(size_t file) const { return depth[file]; }

private:
  // One link of the chain: a file and the statement in it that leads to the next.
  struct Link {
    size_t file;
    const ModuleStatement *statement;
  };

  bool reportCycle(size_t target) {
    auto begin = std::find_if(visiting.begin(), visiting.end(),
                              [&](const Link &link) { return link.file == target; });
    if (begin == visiting.end())
      return false;
    std::string chain;
    for (auto link = begin; link != visiting.end(); ++link)
      chain += fmt::format("{}{} uses '{}'", chain.empty() ? "" : ", ", link->statement->range.file,
                           link->statement->name);
    diagnostics.report(Diag::ModuleCycle, visiting.back().statement->range, chain);
    return true;
  }

  const std::vector<ModuleFacts> &files;
  Diagnostics &diagnostics;
  std::map<std::string, size_t> definedIn;
  std::vector<int> depth;
  std::vector<Link> visiting;
};

} // namespace

ModuleFacts scanModules(const std::string &path, const std::string &text, bool fixedForm,
                        int fixedColumns) {
  ModuleFacts facts;
  Scanner scanner(path, facts);
  // After the rewrite, since `!@cuf use m` is a statement.
  forEachStatement(rewriteDialect(text, fixedForm).text, fixedForm, fixedColumns,
                   [&](const Statement &statement) { scanner.statement(statement); });
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
