// Compilations in the order of the graph, then links in the order of the libraries.
#include "project/build_plan.h"
#include "base/files.h"
#include "project/project_parts.h"
#include "source/source_form.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>

namespace cufc {
namespace {

using Arguments = std::vector<std::string>;

std::string shortHash(const std::string &text) { return contentHash(text).text().substr(0, 10); }

std::string joined(const Arguments &arguments) {
  std::string text;
  for (const std::string &argument : arguments)
    text += argument + '\n';
  return text;
}

class Planner {
public:
  Planner(const Project &project, const SourceGraph &graph) : project(project), graph(graph) {}

  BuildPlan run() {
    findSharedNames();
    stepOfSource.resize(project.sources.size());
    for (size_t source : graph.order) {
      stepOfSource[source] = plan.steps.size();
      plan.steps.push_back(compileStep(source));
    }
    plan.targets.assign(project.targets.size(), none);
    for (size_t target = 0; target < project.targets.size(); ++target)
      addTarget(target);
    for (size_t step = plan.steps.size(); step-- > 0;)
      for (size_t needed : plan.steps[step].needs)
        plan.steps[needed].height =
            std::max(plan.steps[needed].height, plan.steps[step].height + 1);
    return std::move(plan);
  }

private:
  static constexpr size_t none = static_cast<size_t>(-1);

  // Modules that several sources of the same arguments define.
  void findSharedNames() {
    for (size_t source = 0; source < project.sources.size(); ++source) {
      std::string arguments = joined(project.sources[source].arguments);
      for (const ModuleStatement &statement : project.facts[source].defines)
        definers[arguments + statement.name].insert(source);
    }
  }

  std::string moduleFolder(size_t source) const {
    std::string arguments = joined(project.sources[source].arguments);
    bool alone = true;
    for (const ModuleStatement &statement : project.facts[source].defines)
      alone &= definers.at(arguments + statement.name).size() == 1;
    std::string name = alone ? shortHash(arguments)
                             : shortHash(arguments) + "-" + shortHash(project.sources[source].path);
    return workFolder(project.buildDirectory) + "/mod/" + name;
  }

  std::string relative(const std::string &path) const {
    return path.starts_with(project.root + "/") ? path.substr(project.root.size() + 1) : path;
  }

  BuildStep compileStep(size_t index) const {
    const ProjectSource &source = project.sources[index];
    std::string modules = moduleFolder(index);
    BuildStep step;
    step.name = relative(source.path);
    step.key = source.path + '\n' + joined(source.arguments);
    step.directory = source.directory;
    std::string base = fmt::format("{}/obj/{}-{}", workFolder(project.buildDirectory),
                                   stem(source.path), shortHash(step.key));
    step.inputs = {source.path};
    step.outputs = {base + ".o"};
    step.dependencies = base + ".d";
    for (const ModuleStatement &statement : project.facts[index].defines) {
      std::string name = statement.name;
      std::replace(name.begin(), name.end(), ':', '-');
      step.outputs.push_back(fmt::format("{}/{}.mod", modules, name));
    }
    // A path relative to the folder, as one would type it, is what messages and __FILE__ show.
    std::string path = source.path.starts_with(source.directory + "/")
                           ? source.path.substr(source.directory.size() + 1)
                           : source.path;
    if (path.starts_with("-")) // no option
      path = source.path;
    step.command = {"cufc"};
    step.command.insert(step.command.end(), source.arguments.begin(), source.arguments.end());
    step.command.insert(step.command.end(),
                        {"-module", modules, "-c", path, "-o", step.outputs[0], "-MD", "-MF",
                         step.dependencies, "-fdiagnostics-format=json"});
    for (const std::string &folder : neededFolders(index, modules))
      step.command.push_back("-I" + folder);
    for (size_t needed : graph.needs[index])
      step.needs.push_back(stepOfSource[needed]);
    return step;
  }

  // Where else the modules are that a source uses, also through others.
  std::set<std::string> neededFolders(size_t index, const std::string &own) const {
    std::set<std::string> folders;
    std::set<size_t> seen{index};
    std::vector<size_t> open{index};
    while (!open.empty()) {
      size_t source = open.back();
      open.pop_back();
      if (std::string folder = moduleFolder(source); folder != own)
        folders.insert(folder);
      for (size_t needed : graph.needs[source])
        if (seen.insert(needed).second)
          open.push_back(needed);
    }
    return folders;
  }

  // The sources whose objects a target links: its own, what they need, and not what is in the
  // libraries among the targets.
  std::vector<size_t> objectsOf(const ProjectTarget &target) const {
    std::vector<size_t> all = neededSources(project, target.sources);
    std::set<size_t> elsewhere;
    for (size_t library : target.libraries)
      elsewhere.insert(project.targets[library].sources.begin(),
                       project.targets[library].sources.end());
    for (size_t own : target.sources)
      elsewhere.erase(own);
    std::erase_if(all, [&](size_t source) { return elsewhere.contains(source); });
    return all;
  }

  std::string outputOf(const ProjectTarget &target) const {
    std::string folder = project.buildDirectory + "/";
    switch (target.kind) {
    case TargetKind::Library:
      return folder + "lib" + target.name + ".a";
    case TargetKind::Shared:
      return folder + "lib" + target.name + ".so";
    default:
      return folder + target.name;
    }
  }

  void addTarget(size_t index) {
    if (plan.targets[index] != none)
      return;
    const ProjectTarget &target = project.targets[index];
    for (size_t library : target.libraries)
      addTarget(library);
    BuildStep step;
    step.outputs = {outputOf(target)};
    step.name = relative(step.outputs[0]);
    step.key = step.outputs[0];
    step.directory = project.root;
    // A program links only what it needs; a library holds its own sources.
    bool archive = target.kind == TargetKind::Library;
    for (size_t source : archive ? target.sources : objectsOf(target)) {
      step.needs.push_back(stepOfSource[source]);
      step.inputs.push_back(plan.steps[stepOfSource[source]].outputs[0]);
    }
    std::set<std::string> linked;
    if (!archive)
      addLibraries(target, step, linked);
    step.kind = archive ? BuildStep::Kind::Archive : BuildStep::Kind::Link;
    std::vector<std::string> tail = target.linkArguments;
    if (archive) {
      step.command = {"ar", "rcs", step.outputs[0]};
      tail.clear();
    } else {
      step.command = {"cufc", "-o", step.outputs[0], "-fdiagnostics-format=json"};
      if (target.kind == TargetKind::Shared)
        step.command.emplace_back("-shared");
    }
    step.command.insert(step.command.end(), step.inputs.begin(), step.inputs.end());
    step.command.insert(step.command.end(), tail.begin(), tail.end());
    for (const std::string &argument : tail)
      if (argument.starts_with('/'))
        step.inputs.push_back(argument); // objects and libraries from elsewhere
    plan.targets[index] = plan.steps.size();
    plan.steps.push_back(std::move(step));
  }

  // Also those that the libraries need, behind them.
  void addLibraries(const ProjectTarget &target, BuildStep &step, std::set<std::string> &linked) {
    for (size_t library : target.libraries) {
      const ProjectTarget &each = project.targets[library];
      std::string output = outputOf(each);
      if (!linked.insert(output).second)
        continue;
      step.needs.push_back(plan.targets[library]);
      step.inputs.push_back(output);
      if (each.kind == TargetKind::Shared)
        step.inputs.push_back("-Wl,-rpath," + directoryOf(output));
      addLibraries(each, step, linked);
    }
  }

  const Project &project;
  const SourceGraph &graph;
  std::map<std::string, std::set<size_t>> definers; // by arguments and module
  std::vector<size_t> stepOfSource;
  BuildPlan plan;
};

} // namespace

BuildPlan makeBuildPlan(const Project &project, const SourceGraph &graph) {
  return Planner(project, graph).run();
}

std::vector<bool> stepsOf(const BuildPlan &plan, const std::vector<size_t> &targets) {
  std::vector<bool> wanted(plan.steps.size(), targets.empty());
  for (size_t target : targets)
    wanted[plan.targets[target]] = true;
  for (size_t step = plan.steps.size(); step-- > 0;)
    if (wanted[step])
      for (size_t needed : plan.steps[step].needs)
        wanted[needed] = true;
  return wanted;
}

} // namespace cufc
