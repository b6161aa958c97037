// cufls.json: the table of keys decides what may stand where, and of which type; then the targets'
// sources are found. Every mistake is reported at its place, and what is right is used, so that an
// editor can work with a file that is being written.
#include "base/diag.h"
#include "base/diagnostic_settings.h"
#include "base/files.h"
#include "base/gpus.h"
#include "project/glob.h"
#include "project/json_reader.h"
#include "project/machines.h"
#include "project/project_keys.h"
#include "project/project_parts.h"
#include "source/source_form.h"
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <map>

namespace cufc {
namespace {

using Kind = JsonValue::Kind;
using Arguments = std::vector<std::string>;

bool isMacroName(const std::string &name) {
  auto belongs = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  return !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(), belongs);
}

// What a level of the file, the top or a target, asks of cufc.
struct Level {
  Arguments flags, includes, defines, gpus;

  // In the order in which later ones win.
  Arguments arguments(const Level *inner) const {
    Arguments all;
    auto add = [&](const Arguments &more) { all.insert(all.end(), more.begin(), more.end()); };
    if (inner)
      add(inner->includes);
    add(includes);
    add(defines);
    if (inner)
      add(inner->defines);
    add(inner && !inner->gpus.empty() ? inner->gpus : gpus);
    add(flags);
    if (inner)
      add(inner->flags);
    return all;
  }
};

class FileReader {
public:
  FileReader(Project &project, const ScanOptions &scan, Diagnostics &diagnostics)
      : project(project), scan(scan), diagnostics(diagnostics) {}

  void run(const JsonValue &root) {
    if (!checkObject(root, "the project file", Scope::Project))
      return;
    readLevel(root, top);
    for (const std::string &option : top.includes)
      project.includes.push_back(option.substr(2));
    project.arguments = top.arguments(nullptr);
    if (std::string folder = root.string("buildDirectory"); !folder.empty())
      project.buildDirectory = absolutePath(folder, project.root);
    if (const JsonValue *settings = root.find("diagnostics"))
      readSettings(*settings);
    if (const JsonValue *machines = root.find("machines"))
      readMachines(*machines, project.root, diagnostics); // who runs programs reads them again
    if (const JsonValue *targets = root.find("targets"); targets && targets->is(Kind::Object))
      readTargets(*targets);
    else if (!targets)
      takeFolder();
    resolveLibraries();
  }

private:
  // Unknown keys, keys that stand twice, and values of the wrong type.
  bool checkObject(const JsonValue &object, const std::string &what, Scope scope) {
    if (!object.is(Kind::Object)) {
      diagnostics.report(Diag::ProjectValueType, object.range, what, "an object");
      return false;
    }
    std::vector<std::string> names;
    std::string list;
    for (const ProjectKey &key : projectKeys())
      if (key.in(scope)) {
        names.emplace_back(key.name);
        list += (list.empty() ? "" : ", ") + names.back();
      }
    checkDoubles(object);
    for (const JsonMember &member : object.members) {
      const ProjectKey *key = findProjectKey(member.name, scope);
      if (!key)
        diagnostics.report(Diag::UnknownProjectKey, member.nameRange, member.name,
                           suggestion(member.name, names), list);
      else
        checkType(*key, member.value);
    }
    return true;
  }

  void checkDoubles(const JsonValue &object) {
    std::map<std::string, SourceRange> first;
    for (const JsonMember &member : object.members)
      if (auto [known, isNew] = first.emplace(member.name, member.nameRange); !isNew)
        diagnostics.report(Diag::DuplicateProjectKey, member.nameRange, member.name)
            .related.push_back({Severity::Note, "", "the other one", known->second});
  }

  void checkType(const ProjectKey &key, const JsonValue &value) {
    auto wrong = [&](const JsonValue &place) {
      diagnostics.report(Diag::ProjectValueType, place.range, fmt::format("'{}'", key.name),
                         describe(key.type));
    };
    auto texts = [&] {
      for (const JsonValue &item : value.items)
        if (!item.is(Kind::String))
          wrong(item);
    };
    switch (key.type) {
    case KeyType::Text:
    case KeyType::Kind:
      if (!value.is(Kind::String))
        wrong(value);
      break;
    case KeyType::Gpu:
      if (value.is(Kind::String))
        break;
      [[fallthrough]];
    case KeyType::Texts:
      value.is(Kind::Array) ? texts() : wrong(value);
      break;
    case KeyType::Defines:
    case KeyType::Machines:
    case KeyType::Targets:
    case KeyType::Settings:
      if (!value.is(Kind::Object))
        wrong(value);
    }
  }

  // The strings of an array; others were reported.
  static std::vector<PlacedText> texts(const JsonValue *value) {
    std::vector<PlacedText> result;
    if (value && value->is(Kind::String))
      result.push_back({value->text, value->range});
    if (value && value->is(Kind::Array))
      for (const JsonValue &item : value->items)
        if (item.is(Kind::String))
          result.push_back({item.text, item.range});
    return result;
  }

  void readLevel(const JsonValue &object, Level &level) {
    for (const PlacedText &flag : texts(object.find("flags"))) {
      level.flags.push_back(flag.text);
      project.flags.push_back(flag);
    }
    for (const PlacedText &folder : texts(object.find("include"))) {
      std::string path = absolutePath(folder.text, project.root);
      std::error_code error;
      if (!std::filesystem::is_directory(path, error))
        diagnostics.report(Diag::NoSuchFolder, folder.range, folder.text);
      level.includes.push_back("-I" + path);
    }
    std::string gpus;
    for (const PlacedText &gpu : texts(object.find("gpu"))) {
      if (!findGpu(gpu.text))
        diagnostics.report(Diag::BadProjectValue, gpu.range, gpu.text, "gpu", gpuNames());
      else
        gpus += (gpus.empty() ? "-gpu=" : ",") + gpu.text;
    }
    if (!gpus.empty())
      level.gpus = {gpus};
    if (const JsonValue *defines = object.find("defines"); defines && defines->is(Kind::Object))
      readDefines(*defines, level);
  }

  void readDefines(const JsonValue &defines, Level &level) {
    checkDoubles(defines);
    for (const JsonMember &member : defines.members) {
      const JsonValue &value = member.value;
      if (!isMacroName(member.name))
        diagnostics.report(Diag::BadProjectValue, member.nameRange, member.name, "defines",
                           "names of macros");
      else if (value.is(Kind::String) || value.is(Kind::Number))
        level.defines.push_back("-D" + member.name + "=" + value.text);
      else if (value.is(Kind::Boolean))
        level.defines.push_back((value.boolean ? "-D" : "-U") + member.name);
      else
        diagnostics.report(Diag::ProjectValueType, value.range,
                           fmt::format("the value of '{}'", member.name),
                           "a text, a number, true or false");
    }
  }

  void readSettings(const JsonValue &settings) {
    checkDoubles(settings);
    static const std::vector<std::string> levels = {"off", "hint", "information", "warning",
                                                    "error"};
    for (const JsonMember &member : settings.members) {
      bool known = diagnosticKey(member.name).has_value();
      if (!known)
        diagnostics.report(Diag::BadProjectValue, member.nameRange, member.name, "diagnostics",
                           "codes, their names, groups and all" +
                               nearestDiagnosticKey(member.name));
      else if (!member.value.is(Kind::String))
        diagnostics.report(Diag::ProjectValueType, member.value.range,
                           fmt::format("the value of '{}'", member.name), "a text");
      else if (std::find(levels.begin(), levels.end(), member.value.text) == levels.end())
        diagnostics.report(Diag::BadProjectValue, member.value.range, member.value.text,
                           "diagnostics", "off, hint, information, warning or error");
      else
        project.diagnostics.push_back(
            {{member.name, member.nameRange}, {member.value.text, member.value.range}});
    }
  }

  void readTargets(const JsonValue &targets) {
    checkDoubles(targets);
    for (const JsonMember &member : targets.members) {
      auto same = [&](const ProjectTarget &other) { return other.name == member.name; };
      if (std::any_of(project.targets.begin(), project.targets.end(), same))
        continue;
      // A target's name becomes a file's.
      if (member.name.empty() || member.name.find('/') != std::string::npos ||
          member.name.starts_with('.'))
        diagnostics.report(Diag::BadProjectValue, member.nameRange, member.name, "targets",
                           "names that can be those of files");
      else if (checkObject(member.value, fmt::format("target '{}'", member.name), Scope::Target))
        readTarget(member);
    }
  }

  void readTarget(const JsonMember &member) {
    Level inner;
    readLevel(member.value, inner);
    ProjectTarget target;
    target.name = member.name;
    target.range = member.nameRange;
    Arguments arguments = top.arguments(&inner);
    std::vector<PlacedText> patterns = texts(member.value.find("sources"));
    for (const PlacedText &pattern : patterns)
      if (!pattern.text.starts_with('!'))
        addSources(target, pattern, patterns, arguments);
    if (patterns.empty())
      diagnostics.report(Diag::NoTargetSources, member.nameRange, member.name);
    target.linkArguments.insert(target.linkArguments.end(), arguments.begin(), arguments.end());
    libraries.push_back(texts(member.value.find("libraries")));
    chooseKind(target, member.value.find("kind"));
    project.targets.push_back(std::move(target));
  }

  void addSources(ProjectTarget &target, const PlacedText &pattern,
                  const std::vector<PlacedText> &patterns, const Arguments &arguments) {
    bool several = isPattern(pattern.text);
    auto skip = [&](const std::string &folder) {
      return isSkippedFolder(project.root + "/" + folder);
    };
    size_t found = 0;
    for (const std::string &path : expandPattern(project.root, pattern.text, skip)) {
      std::optional<SourceForm> form = sourceForm(path);
      bool taken = !several || (form && form->kind != FileKind::Linkable);
      auto excludes = [&](const PlacedText &other) {
        return other.text.starts_with('!') && matchesPattern(other.text.substr(1), path);
      };
      if (!taken || std::any_of(patterns.begin(), patterns.end(), excludes))
        continue;
      ++found;
      if (!form)
        diagnostics.report(Diag::UnknownSuffix, pattern.range, pattern.text);
      else if (form->kind == FileKind::Linkable)
        target.linkArguments.push_back(absolutePath(path, project.root));
      else
        addSource(target, absolutePath(path, project.root), arguments);
    }
    if (found == 0 && several)
      diagnostics.report(Diag::PatternWithoutMatch, pattern.range, pattern.text);
    else if (found == 0 && !isRegularFile(pattern.text))
      diagnostics.report(Diag::NoSuchSource, pattern.range, pattern.text);
  }

  bool isRegularFile(const std::string &path) const {
    std::error_code error;
    return std::filesystem::is_regular_file(absolutePath(path, project.root), error);
  }

  void addSource(ProjectTarget &target, const std::string &path, const Arguments &arguments) {
    std::string key = path;
    for (const std::string &argument : arguments)
      key += '\n' + argument;
    auto [known, isNew] = indices.emplace(key, project.sources.size());
    if (isNew) {
      project.sources.push_back({path, project.root, arguments});
      project.facts.push_back(scanSource(project.sources.back()));
    }
    if (std::find(target.sources.begin(), target.sources.end(), known->second) ==
        target.sources.end())
      target.sources.push_back(known->second);
  }

  void chooseKind(ProjectTarget &target, const JsonValue *kind) {
    std::vector<const ModuleStatement *> programs;
    for (size_t source : target.sources)
      for (const ModuleStatement &program : project.facts[source].programs)
        programs.push_back(&program);
    bool compiled = std::all_of(target.sources.begin(), target.sources.end(), [&](size_t source) {
      return sourceForm(project.sources[source].path)->kind == FileKind::Fortran;
    });
    target.kind = programs.empty() && compiled ? TargetKind::Library : TargetKind::Program;
    std::string name = kind && kind->is(Kind::String) ? kind->text : "";
    if (name == "program")
      target.kind = TargetKind::Program;
    else if (name == "library")
      target.kind = TargetKind::Library;
    else if (name == "shared")
      target.kind = TargetKind::Shared;
    else if (!name.empty())
      diagnostics.report(Diag::BadProjectValue, kind->range, name, "kind",
                         "program, library or shared");
    if (target.kind != TargetKind::Program)
      return;
    for (size_t i = 1; i < programs.size(); ++i)
      if (!programs[i]->conditional && !programs[0]->conditional)
        diagnostics.report(Diag::TwoPrograms, programs[i]->range, target.name)
            .related.push_back({Severity::Note, "", "the other one", programs[0]->range});
    if (programs.empty() && compiled && !target.sources.empty())
      diagnostics.report(Diag::TargetWithoutProgram, kind ? kind->range : target.range,
                         target.name);
  }

  // Without targets the folder's sources are taken, as if there were no file, with its options.
  void takeFolder() {
    scanFolder(project, scan);
    for (ProjectSource &source : project.sources)
      source.arguments.insert(source.arguments.begin(), project.arguments.begin(),
                              project.arguments.end());
    for (ProjectTarget &target : project.targets)
      target.linkArguments = project.arguments;
    libraries.resize(project.targets.size());
  }

  // A library is a target, a file, or a name for the linker.
  void resolveLibraries() {
    for (size_t i = 0; i < project.targets.size(); ++i)
      for (const PlacedText &library : libraries[i]) {
        ProjectTarget &target = project.targets[i];
        auto same = [&](const ProjectTarget &other) { return other.name == library.text; };
        auto found = std::find_if(project.targets.begin(), project.targets.end(), same);
        std::optional<SourceForm> form = sourceForm(library.text);
        if (found != project.targets.end() && found->kind == TargetKind::Program)
          diagnostics.report(Diag::BadProjectValue, library.range, library.text, "libraries",
                             "targets that are libraries");
        else if (found != project.targets.end())
          target.libraries.push_back(found - project.targets.begin());
        else if (!form || form->kind != FileKind::Linkable)
          target.linkArguments.push_back(library.text.starts_with('-') ? library.text
                                                                       : "-l" + library.text);
        else if (isRegularFile(library.text))
          target.linkArguments.push_back(absolutePath(library.text, project.root));
        else
          diagnostics.report(Diag::NoSuchSource, library.range, library.text);
      }
    checkLibraryCycles();
  }

  void checkLibraryCycles() {
    for (size_t start = 0; start < project.targets.size(); ++start) {
      std::vector<size_t> open{start};
      std::vector<bool> seen(project.targets.size());
      for (size_t at = 0; at < open.size(); ++at)
        for (size_t library : project.targets[open[at]].libraries) {
          if (library == start) {
            diagnostics.report(Diag::LibraryCycle, project.targets[start].range,
                               project.targets[start].name);
            project.targets[open[at]].libraries.clear();
            break;
          }
          if (!seen[library]) {
            seen[library] = true;
            open.push_back(library);
          }
        }
    }
  }

  Project &project;
  const ScanOptions &scan;
  Diagnostics &diagnostics;
  Level top;
  std::map<std::string, size_t> indices;          // of sources, by path and arguments
  std::vector<std::vector<PlacedText>> libraries; // of each target, as written
};

} // namespace

void readProjectFile(Project &project, const ScanOptions &scan, Diagnostics &diagnostics) {
  std::string text;
  JsonValue root;
  if (readFile(project.file, text) && readJson(project.file, text, root, diagnostics))
    FileReader(project, scan, diagnostics).run(root);
}

} // namespace cufc
