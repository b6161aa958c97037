// A topological sort.
#include "project/module_graph.h"
#include "base/diag.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace cufc {
namespace {

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
        const ModuleStatement &first = *definitionIn(known->second, statement.name);
        const std::string &other = first.range.file;
        if (other == statement.range.file) // which several files include
          continue;
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
      if (found == definedIn.end() || definitionIn(file, statement.name))
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
  const ModuleStatement *definitionIn(size_t file, const std::string &name) const {
    for (const ModuleStatement &statement : files[file].defines)
      if (statement.name == name)
        return &statement;
    return nullptr;
  }

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
