// Edges first, those of conditional statements last, then a depth-first search for the order. A
// circle is reported once, at the statement that closes it, with the others as related places.
#include "project/source_graph.h"
#include "base/diag.h"
#include "base/files.h"
#include "base/module_packages.h"
#include "project/compiler_modules.h"
#include "project/project_parts.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <unistd.h>

namespace cufc {
namespace {

// One link of the chain: a source and the statement in it that leads to the next.
struct Link {
  size_t source;
  const ModuleStatement *statement;
};

class GraphMaker {
public:
  GraphMaker(const Project &project, const std::vector<std::string> &known,
             Diagnostics &diagnostics)
      : project(project), known(known), diagnostics(diagnostics), index(project) {}

  SourceGraph run() {
    size_t count = project.sources.size();
    graph.needs.resize(count);
    edges.resize(count);
    state.resize(count);
    for (size_t source = 0; source < count; ++source)
      for (const ModuleStatement &statement : project.facts[source].uses)
        addUse(source, statement);
    findDoubles();
    for (size_t source = 0; source < count; ++source) {
      for (const ModuleStatement &statement : project.facts[source].usesItself)
        diagnostics.report(Diag::ModuleUsesItself, statement.range, statement.name);
      visit(source);
    }
    for (auto [source, target] : conditional)
      if (!reaches(target, source))
        graph.needs[source].push_back(target);
    for (std::vector<size_t> &list : graph.needs) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    sort();
    return std::move(graph);
  }

private:
  struct Edge {
    size_t target;
    const ModuleStatement *statement;
  };

  void addUse(size_t source, const ModuleStatement &statement) {
    std::vector<size_t> found = index.definers(statement.name, source);
    if (found.empty()) {
      reportMissing(source, statement);
    } else if (found.size() > 1) {
      if (!statement.conditional) {
        std::string files = filesText(found);
        diagnostics.report(Diag::ModuleAmbiguous, statement.range, statement.name, files);
        graph.ambiguous[source][statement.name] = files;
      }
      conditional.emplace_back(source, found.front());
    } else if (found.front() != source && statement.conditional) {
      conditional.emplace_back(source, found.front());
    } else if (found.front() != source) {
      edges[source].push_back({found.front(), &statement});
      graph.needs[source].push_back(found.front());
    }
  }

  std::string filesText(const std::vector<size_t> &sources) const {
    constexpr size_t most = 4;
    std::string files;
    for (size_t i = 0; i < std::min(most, sources.size()); ++i)
      files += (i == 0 ? "" : ", ") + project.sources[sources[i]].path;
    if (sources.size() > most)
      files += fmt::format(" and {} more", sources.size() - most);
    return files;
  }

  void reportMissing(size_t source, const ModuleStatement &statement) {
    if (known.empty() || statement.conditional)
      return;
    // The parent of a submodule is "ancestor:parent", whose file is ancestor-parent.smod.
    bool submodule = statement.name.find(':') != std::string::npos;
    std::vector<std::string> folders = known;
    const std::vector<std::string> &arguments = project.sources[source].arguments;
    folders.push_back(directoryOf(project.sources[source].path));
    for (const std::string &argument : arguments)
      if (argument.starts_with("-I"))
        folders.push_back(absolutePath(argument.substr(2), project.sources[source].directory));
    for (const std::string &folder : folders)
      if (submodule || access((folder + "/" + statement.name + ".mod").c_str(), R_OK) == 0)
        return;
    std::string origin = moduleOrigin(statement.name);
    diagnostics.report(Diag::ModuleMissing, statement.range, statement.name,
                       origin.empty() ? guessFor(statement.name) : origin);
  }

  // Comparing names takes time: each is looked for once, and in very large projects none.
  const std::string &guessFor(const std::string &module) {
    constexpr size_t mostNames = 4000;
    if (names.empty())
      for (const ModuleFacts &facts : project.facts)
        for (const ModuleStatement &defined : facts.defines)
          names.push_back(defined.name);
    auto [place, isNew] = guesses.try_emplace(module);
    if (!isNew || names.size() > mostNames)
      return place->second;
    std::vector<std::string> similar;
    for (const std::string &name : names) { // cusparse is no misspelling of cusparseex
      auto [less, more] = std::minmax({name.size(), module.size()});
      if (more - less <= 1 || (!name.starts_with(module) && !module.starts_with(name)))
        similar.push_back(name);
    }
    place->second = suggestion(module, similar);
    return place->second;
  }

  // Two sources of one target with one module cannot be linked.
  void findDoubles() {
    std::set<std::pair<std::string, int>> reported;
    for (const ProjectTarget &target : project.targets) {
      std::map<std::string, const ModuleStatement *> first;
      for (size_t source : target.sources)
        for (const ModuleStatement &statement : project.facts[source].defines) {
          if (statement.conditional)
            continue;
          auto [known, isNew] = first.emplace(statement.name, &statement);
          const SourceRange &other = known->second->range;
          if (isNew || other.file == statement.range.file ||
              !reported.emplace(statement.range.file, statement.range.line).second)
            continue;
          diagnostics.report(Diag::ModuleTwice, statement.range, statement.name, other.file)
              .related.push_back({Severity::Note, "", "the other definition", other});
        }
    }
  }

  void visit(size_t source) {
    if (state[source] != New)
      return;
    state[source] = Open;
    for (const Edge &edge : edges[source]) {
      chain.push_back({source, edge.statement});
      if (state[edge.target] == Open)
        reportCircle(edge);
      else
        visit(edge.target);
      chain.pop_back();
    }
    state[source] = Done;
  }

  void reportCircle(const Edge &last) {
    auto begin = std::find_if(chain.begin(), chain.end(),
                              [&](const Link &link) { return link.source == last.target; });
    std::string text;
    std::vector<Diagnostic> related;
    for (auto link = begin; link != chain.end(); ++link) {
      const SourceRange &place = link->statement->range;
      std::string step = fmt::format("{} uses '{}'", place.file, link->statement->name);
      text += (text.empty() ? "" : ", ") + step;
      if (link + 1 != chain.end())
        related.push_back({Severity::Note, "", step, place});
    }
    diagnostics.report(Diag::ModuleCycle, last.statement->range, text).related = related;
    std::vector<size_t> &needs = graph.needs[chain.back().source]; // so that an order exists
    needs.erase(std::remove(needs.begin(), needs.end(), last.target), needs.end());
  }

  bool reaches(size_t from, size_t to) const {
    std::vector<size_t> open{from};
    std::set<size_t> seen{from};
    while (!open.empty()) {
      size_t source = open.back();
      open.pop_back();
      if (source == to)
        return true;
      for (size_t next : graph.needs[source])
        if (seen.insert(next).second)
          open.push_back(next);
    }
    return false;
  }

  void sort() {
    std::vector<size_t> waiting(graph.needs.size()), ready;
    std::vector<std::vector<size_t>> users(graph.needs.size());
    for (size_t source = 0; source < graph.needs.size(); ++source) {
      waiting[source] = graph.needs[source].size();
      for (size_t needed : graph.needs[source])
        users[needed].push_back(source);
      if (waiting[source] == 0)
        ready.push_back(source);
    }
    for (size_t at = 0; at < ready.size(); ++at)
      for (size_t user : users[ready[at]])
        if (--waiting[user] == 0)
          ready.push_back(user);
    graph.order = std::move(ready);
  }

  enum State { New, Open, Done };
  const Project &project;
  const std::vector<std::string> &known;
  Diagnostics &diagnostics;
  ModuleIndex index;
  SourceGraph graph;
  std::vector<std::string> names; // of all modules
  std::map<std::string, std::string> guesses;
  std::vector<std::vector<Edge>> edges;
  std::vector<std::pair<size_t, size_t>> conditional;
  std::vector<State> state;
  std::vector<Link> chain;
};

} // namespace

ModuleIndex::ModuleIndex(const Project &project) : project(project) {
  // A file that is compiled by itself is meant rather than those that include it.
  std::set<std::string_view> paths;
  for (const ProjectSource &source : project.sources)
    paths.insert(source.path);
  for (size_t source = 0; source < project.facts.size(); ++source) {
    auto add = [&](Definitions &to, const std::string &name) {
      std::vector<size_t> &list = to[name];
      if (list.empty() || list.back() != source)
        list.push_back(source);
    };
    for (const ModuleStatement &statement : project.facts[source].defines) {
      if (statement.range.file != project.sources[source].path &&
          paths.contains(statement.range.file))
        continue;
      add(modules, statement.name);
      if (size_t colon = statement.name.find(':'); colon != std::string::npos)
        add(children, statement.name.substr(0, colon));
    }
    for (const ModuleStatement &statement : project.facts[source].procedures)
      add(externals, statement.name);
  }
  if (project.origin != Project::Origin::ProjectFile)
    return;
  targets.resize(project.sources.size());
  for (size_t target = 0; target < project.targets.size(); ++target)
    for (size_t source : project.targets[target].sources)
      targets[source].push_back(target);
}

size_t folderDistance(const std::string &from, const std::string &to) {
  std::filesystem::path a(from), b(to);
  auto [x, y] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<size_t>(std::distance(x, a.end()) + std::distance(y, b.end()));
}

// A target also means what its libraries hold.
bool ModuleIndex::sharesTarget(size_t source, size_t other) const {
  if (source >= targets.size() || other >= targets.size())
    return false;
  return std::any_of(targets[source].begin(), targets[source].end(), [&](size_t target) {
    const std::vector<size_t> &libraries = project.targets[target].libraries;
    return std::any_of(targets[other].begin(), targets[other].end(), [&](size_t each) {
      return each == target ||
             std::find(libraries.begin(), libraries.end(), each) != libraries.end();
    });
  });
}

std::vector<size_t> ModuleIndex::nearest(std::vector<size_t> all, size_t user) const {
  auto keep = [&](auto &&condition) {
    std::vector<size_t> kept;
    std::copy_if(all.begin(), all.end(), std::back_inserter(kept), condition);
    if (!kept.empty())
      all = kept;
  };
  const ProjectSource &self = project.sources[user];
  keep([&](size_t other) { return sharesTarget(user, other); });
  // A main program's file is linked with no other program; what it defines is its own.
  keep([&](size_t other) { return project.facts[other].programs.empty(); });
  // In a folder without a project file they say what a file uses, not what it belongs to.
  if (!project.isFolder())
    keep([&](size_t other) { return project.sources[other].arguments == self.arguments; });
  // A source that two targets compile differently is one definition for a third.
  if (std::all_of(all.begin(), all.end(), [&](size_t other) {
        return project.sources[other].path == project.sources[all.front()].path;
      }))
    return {all.front()};
  std::string folder = directoryOf(self.path);
  size_t least = std::string::npos;
  std::vector<size_t> distances;
  for (size_t other : all) {
    distances.push_back(folderDistance(folder, directoryOf(project.sources[other].path)));
    least = std::min(least, distances.back());
  }
  std::vector<size_t> result;
  for (size_t i = 0; i < all.size(); ++i)
    if (distances[i] == least)
      result.push_back(all[i]);
  return result;
}

std::vector<size_t> ModuleIndex::choose(const Definitions &from, const std::string &name,
                                        size_t user) const {
  auto found = from.find(name);
  if (found == from.end())
    return {};
  const std::vector<size_t> &all = found->second;
  if (std::find(all.begin(), all.end(), user) != all.end())
    return {user};
  return all.size() == 1 ? all : nearest(all, user);
}

std::vector<size_t> ModuleIndex::definers(const std::string &module, size_t user) const {
  bool own = isCompilerModule(module);
  if (!project.isFolder() || (!own && !isMpiModule(module)))
    return choose(modules, module, user);
  Definitions allowed;
  std::string folder = directoryOf(project.sources[user].path);
  if (auto found = modules.find(module); found != modules.end())
    for (size_t source : found->second)
      if (source == user || project.sources[source].asked ||
          (!own && directoryOf(project.sources[source].path) == folder))
        allowed[module].push_back(source);
  return choose(allowed, module, user);
}

const std::vector<size_t> &ModuleIndex::submodules(const std::string &module) const {
  static const std::vector<size_t> none;
  auto found = children.find(module);
  return found == children.end() ? none : found->second;
}

SourceGraph makeSourceGraph(const Project &project, const std::vector<std::string> &known,
                            Diagnostics &diagnostics) {
  return GraphMaker(project, known, diagnostics).run();
}

std::vector<size_t> neededSources(const Project &project, std::vector<size_t> start) {
  return neededSources(project, ModuleIndex(project), std::move(start));
}

std::vector<size_t> neededSources(const Project &project, const ModuleIndex &index,
                                  std::vector<size_t> start) {
  std::set<size_t> found(start.begin(), start.end());
  auto add = [&](size_t source) {
    if (found.insert(source).second)
      start.push_back(source);
  };
  for (size_t at = 0; at < start.size(); ++at) {
    size_t source = start[at];
    const ModuleFacts &facts = project.facts[source];
    for (const ModuleStatement &statement : facts.uses)
      if (auto definers = index.definers(statement.name, source); !definers.empty())
        add(definers.front());
    for (const ModuleStatement &statement : facts.defines)
      for (size_t child : index.submodules(statement.name))
        if (auto parents = index.definers(statement.name, child);
            !parents.empty() && parents.front() == source)
          add(child);
    for (const std::string &name : facts.calls)
      if (auto procedures = index.procedures(name, source);
          procedures.size() == 1 && project.facts[procedures.front()].programs.empty())
        add(procedures.front());
  }
  return start;
}

} // namespace cufc
