// Finds out which of the three origins a project has, and what all of them share.
#include "project/project.h"
#include "base/diag.h"
#include "base/files.h"
#include "base/source_text.h"
#include "project/compile_calls.h"
#include "project/kept_flags.h"
#include "project/project_parts.h"
#include "project/source_graph.h"
#include "source/form_signs.h"
#include "source/source_form.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

namespace cufc {
namespace {

namespace fs = std::filesystem;

bool isFile(const fs::path &path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// The nearest folder from `start` upwards with a file of this name, or empty. A repository ends at
// the folder that holds .git.
fs::path findUpwards(fs::path folder, const std::vector<std::string> &names) {
  for (;; folder = folder.parent_path()) {
    for (const std::string &name : names)
      if (isFile(folder / name))
        return folder / name;
    std::error_code error;
    if (fs::exists(folder / ".git", error) || folder == folder.parent_path())
      return {};
  }
}

bool hasArgument(const ProjectSource &source, std::initializer_list<std::string_view> names) {
  return std::any_of(source.arguments.begin(), source.arguments.end(), [&](const auto &argument) {
    return std::find(names.begin(), names.end(), argument) != names.end();
  });
}

int fixedColumns(const ProjectSource &source) {
  return hasArgument(source, {"-Mextend"}) ? 132 : 72;
}

} // namespace

std::string absolutePath(const std::string &path, const std::string &base) {
  std::error_code error;
  fs::path from = base.empty() ? fs::current_path(error) : fs::path(base);
  std::string result = (from / path).lexically_normal().string();
  while (result.size() > 1 && result.back() == '/')
    result.pop_back();
  return result;
}

std::string suggestion(std::string_view typed, const std::vector<std::string> &names) {
  size_t best = std::max<size_t>(2, typed.size() / 3) + 1;
  std::string found;
  for (const std::string &name : names)
    if (size_t distance = editDistance(typed, name); distance < best) {
      best = distance;
      found = name;
    }
  return found.empty() ? "" : fmt::format("; did you mean '{}'?", found);
}

bool isSkippedFolder(const std::string &path) {
  std::string name = fs::path(path).filename().string();
  if (name.starts_with('.') || name == "node_modules" || name == "CMakeFiles" || name == "build" ||
      name.starts_with("cmake-build") || name == "__pycache__")
    return true;
  std::error_code error;
  return isFile(fs::path(path) / "CMakeCache.txt") || fs::exists(fs::path(path) / ".cufls", error);
}

ModuleFacts scanSource(const ProjectSource &source) {
  std::string text;
  return readFile(source.path, text) ? scanSource(source, text) : ModuleFacts{};
}

ModuleFacts scanSource(const ProjectSource &source, const std::string &text) {
  ModuleFacts facts = scanText(source, text);
  IncludedFiles files;
  addIncluded(facts, source, files);
  return facts;
}

ModuleFacts scanText(const ProjectSource &source) {
  std::string text;
  return readFile(source.path, text) ? scanText(source, text) : ModuleFacts{};
}

void addIncluded(ModuleFacts &facts, const ProjectSource &source, IncludedFiles &files) {
  if (facts.includes.empty())
    return;
  IncludingSource including{source.path, {}, false, fixedColumns(source)};
  std::optional<SourceForm> form = sourceForm(source.path);
  bool asFree = facts.freeForm || hasArgument(source, {"-Mfree", "-Mfreeform"});
  including.fixedForm = hasArgument(source, {"-Mfixed"}) || (form && form->fixed && !asFree);
  for (size_t i = 0; i < source.arguments.size(); ++i) {
    const std::string &argument = source.arguments[i];
    if (argument == "-I" && i + 1 < source.arguments.size())
      including.folders.push_back(absolutePath(source.arguments[i + 1], source.directory));
    else if (argument.starts_with("-I"))
      including.folders.push_back(absolutePath(argument.substr(2), source.directory));
  }
  files.add(facts, including);
}

ModuleFacts scanText(const ProjectSource &source, const std::string &text) {
  std::optional<SourceForm> form = sourceForm(source.path);
  if (!form || form->kind != FileKind::Fortran)
    return {};
  bool asFixed = hasArgument(source, {"-Mfixed"});
  bool asFree = hasArgument(source, {"-Mfree", "-Mfreeform"});
  bool free = form->fixed && !asFixed && formSigns(text).isFree();
  bool fixed = asFixed || (form->fixed && !asFree && !free);
  ModuleFacts facts = scanModules(source.path, text, fixed, fixedColumns(source));
  facts.freeForm = free;
  return facts;
}

namespace {

class TargetMaker {
public:
  explicit TargetMaker(Project &project) : project(project), index(project) {}

  void add(std::string name, TargetKind kind, std::vector<size_t> start) {
    if (!names.insert(name).second) {
      fs::path folder = fs::path(project.sources[start.front()].path).parent_path();
      name = (folder.lexically_relative(project.root) / name).string();
      std::replace(name.begin(), name.end(), '/', '-');
      names.insert(name);
    }
    ProjectTarget target;
    target.name = name;
    target.kind = kind;
    target.sources = neededSources(project, index, std::move(start));
    project.targets.push_back(std::move(target));
  }

  // What belongs to one program alone need not be found through modules and calls. A copy of a
  // module that the program has already is no part of it.
  std::vector<size_t> withOthers(size_t program, const std::vector<size_t> &others) const {
    std::vector<size_t> start{program};
    std::set<std::string> defined;
    auto take = [&](size_t source) {
      for (const ModuleStatement &statement : project.facts[source].defines)
        defined.insert(statement.name);
    };
    std::vector<size_t> needed = neededSources(project, index, start);
    for (size_t source : needed)
      take(source);
    for (size_t other : others) {
      const std::vector<ModuleStatement> &own = project.facts[other].defines;
      bool copy = std::any_of(own.begin(), own.end(), [&](const ModuleStatement &statement) {
        return !statement.conditional && defined.contains(statement.name);
      });
      if (copy && project.isFolder())
        continue;
      start.push_back(other);
      take(other);
    }
    return start;
  }

private:
  Project &project;
  ModuleIndex index;
  std::set<std::string> names;
};

} // namespace

void targetsFromPrograms(Project &project) {
  if (project.facts.size() != project.sources.size()) {
    project.facts.clear();
    for (const ProjectSource &source : project.sources)
      project.facts.push_back(scanSource(source));
  }
  std::vector<size_t> programs, others;
  for (size_t i = 0; i < project.sources.size(); ++i)
    (project.facts[i].programs.empty() ? others : programs).push_back(i);
  TargetMaker maker(project);
  if (programs.empty() && !others.empty())
    maker.add(fs::path(project.root).filename().string(), TargetKind::Library, others);
  for (size_t program : programs)
    maker.add(stem(project.sources[program].path), TargetKind::Program,
              programs.size() == 1 ? maker.withOthers(program, others)
                                   : std::vector<size_t>{program});
}

const ProjectSource *Project::find(const std::string &path) const {
  auto found = std::find_if(sources.begin(), sources.end(),
                            [&](const ProjectSource &source) { return source.path == path; });
  return found == sources.end() ? nullptr : &*found;
}

// A file that the build does not list is compiled as the nearest of its suffix, as clangd has it.
const std::vector<std::string> &Project::argumentsFor(const std::string &path) const {
  if (const ProjectSource *source = find(path))
    return source->arguments;
  if (origin == Origin::ProjectFile || origin == Origin::Folder)
    return arguments;
  const std::vector<std::string> *best = &arguments;
  std::pair<bool, size_t> least{true, SIZE_MAX};
  for (const ProjectSource &source : sources) {
    std::pair distance{extension(source.path) != extension(path),
                       folderDistance(directoryOf(source.path), directoryOf(path))};
    if (distance < least) {
      least = distance;
      best = &source.arguments;
    }
  }
  return *best;
}

namespace {

// Finds where a project begins, in this order: cufls.json, what the user has said of the build,
// files of builds, the folder.
class Loader {
public:
  Loader(const std::string &path, const ScanOptions &scan, Diagnostics &diagnostics)
      : full(absolutePath(path)), start(full), scan(scan), diagnostics(diagnostics) {
    std::error_code error;
    if (!fs::is_directory(start, error))
      start = start.parent_path();
  }

  Project load() {
    if (!projectFile() && !keptFlags() && !database() && !cmake() && !fpm())
      folder();
    if (project.buildDirectory.empty())
      project.buildDirectory = project.root + "/build/cufls";
    return std::move(project);
  }

private:
  void begin(Project::Origin origin, const fs::path &file, const fs::path &root) {
    project = Project();
    project.origin = origin;
    project.file = file.string();
    project.root = root.string();
  }

  // A build may be that of a program in other languages.
  bool good() const { return !project.sources.empty() || diagnostics.hasErrors(); }

  bool projectFile() {
    bool named = fs::path(full).filename() == projectFileName && isFile(full);
    fs::path file = named ? fs::path(full) : findUpwards(start, {projectFileName});
    if (file.empty())
      return false;
    begin(Project::Origin::ProjectFile, file, file.parent_path());
    readProjectFile(project, scan, diagnostics);
    return true;
  }

  bool keptFlags() {
    std::optional<KeptFlags> flags = findKeptFlags(scan.flags, start.string());
    if (!flags)
      return false;
    if (flags->from == "compile_commands" && isFile(flags->file))
      return readDatabase(flags->file);
    if (flags->from == "cmake" && hasCMakeReply(flags->file))
      return readReply(flags->file, flags->root);
    if (flags->from == "fpm" && isFile(flags->file))
      return readManifest(flags->file);
    if (flags->from != "make")
      return false;
    begin(Project::Origin::Make, flags->file, flags->root);
    readMakeCommands(project, *flags);
    return good();
  }

  bool database() {
    bool named = fs::path(full).extension() == ".json" && isFile(full);
    fs::path file =
        named ? fs::path(full)
              : findUpwards(start, {"compile_commands.json", "build/compile_commands.json"});
    return !file.empty() && readDatabase(file);
  }

  bool readDatabase(const fs::path &file) {
    fs::path folder = file.parent_path();
    begin(Project::Origin::CompileCommands, file,
          folder.filename() == "build" ? folder.parent_path() : folder);
    readCompileCommands(project, diagnostics);
    return good();
  }

  bool cmake() {
    fs::path file = findUpwards(start, {"CMakeLists.txt"});
    for (; !file.empty();
         file = findUpwards(file.parent_path().parent_path(), {"CMakeLists.txt"})) {
      std::string root = file.parent_path().string();
      for (const std::string &build : cmakeBuildFolders(root)) {
        if (isFile(build + "/compile_commands.json"))
          return readDatabase(build + "/compile_commands.json");
        if (hasCMakeReply(build))
          return readReply(build, root);
      }
      std::error_code error;
      if (fs::exists(file.parent_path() / ".git", error) || root == "/")
        break;
    }
    return false;
  }

  bool readReply(const std::string &build, const std::string &root) {
    begin(Project::Origin::CMake, root + "/CMakeLists.txt", root);
    readCMakeReply(project, build);
    return good();
  }

  bool fpm() {
    fs::path file = findUpwards(start, {"fpm.toml"});
    return !file.empty() && readManifest(file);
  }

  bool readManifest(const fs::path &file) {
    begin(Project::Origin::Fpm, file, file.parent_path());
    readFpmManifest(project, scan, diagnostics);
    return good();
  }

  void folder() {
    begin(Project::Origin::Folder, {}, start);
    if (!scan.none)
      scanFolder(project, scan);
  }

  const std::string full;
  fs::path start;
  const ScanOptions &scan;
  Diagnostics &diagnostics;
  Project project;
};

} // namespace

void readMakeCommands(Project &project, const KeptFlags &flags) {
  CompileCalls calls(project);
  for (const BuildCommand &command : flags.commands)
    calls.addCommand(command.directory, command.words);
  calls.finish();
  for (const BuildFile &file : flags.files)
    if (BuildFile now = buildFileNow(file.path); now.size != file.size || now.time != file.time)
      project.outdated = file.path;
  targetsFromPrograms(project);
}

Project loadProject(const std::string &path, Diagnostics &diagnostics, const ScanOptions &scan) {
  return Loader(path, scan, diagnostics).load();
}

} // namespace cufc
