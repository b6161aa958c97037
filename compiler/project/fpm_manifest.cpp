// fpm.toml, the manifest of the Fortran package manager: folders of sources, of include files,
// macros, and the packages it depends on. fpm itself is not run; packages that it has fetched lie
// in build/dependencies.
#include "base/files.h"
#include "project/kept_scan.h"
#include "project/project_parts.h"
#include "project/toml_reader.h"
#include <filesystem>
#include <set>

namespace cufc {
namespace {

namespace fs = std::filesystem;

// A text or a list of texts.
std::vector<std::string> textsOf(const JsonValue *value) {
  std::vector<std::string> result;
  if (value && value->is(JsonValue::Kind::String))
    result.push_back(value->text);
  if (value)
    for (const JsonValue &item : value->items)
      result.push_back(item.text);
  return result;
}

const JsonValue *findIn(const JsonValue &table, std::initializer_list<std::string_view> names) {
  const JsonValue *value = &table;
  for (std::string_view name : names)
    if (value)
      value = value->find(name);
  return value;
}

class Packages {
public:
  Packages(Project &project, const ScanOptions &scan, Diagnostics &diagnostics)
      : project(project), scan(scan), diagnostics(diagnostics) {}

  void add(const std::string &folder, bool isRoot) {
    std::string path = folder + "/fpm.toml", text;
    JsonValue manifest;
    if (!known.insert(folder).second || !readFile(path, text) ||
        !readToml(path, text, manifest, diagnostics))
      return;
    std::vector<std::string> arguments = argumentsOf(folder, manifest);
    const JsonValue *library = manifest.find("library");
    addFolder(folder, library ? library->string("source-dir", "src") : "src", arguments);
    if (isRoot)
      for (auto [kind, own, automatic] : {std::tuple{"executable", "app", "auto-executables"},
                                          std::tuple{"test", "test", "auto-tests"},
                                          std::tuple{"example", "example", "auto-examples"}}) {
        if (const JsonValue *on = findIn(manifest, {"build", automatic}); !on || on->boolean)
          addFolder(folder, own, arguments);
        if (const JsonValue *list = manifest.find(kind))
          for (const JsonValue &program : list->items) {
            addFolder(folder, program.string("source-dir", own), arguments);
            addDependencies(folder, program.find("dependencies"));
          }
      }
    addDependencies(folder, manifest.find("dependencies"));
    if (isRoot)
      addDependencies(folder, manifest.find("dev-dependencies"));
  }

private:
  std::vector<std::string> argumentsOf(const std::string &folder, const JsonValue &manifest) const {
    std::vector<std::string> arguments;
    const JsonValue *given = findIn(manifest, {"library", "include-dir"});
    for (const std::string &name : given ? textsOf(given) : std::vector<std::string>{"include"})
      if (std::string path = absolutePath(name, folder); fs::is_directory(path))
        arguments.push_back("-I" + path);
    if (const JsonValue *cpp = findIn(manifest, {"preprocess", "cpp"})) {
      arguments.emplace_back("-Mpreprocess");
      for (std::string macro : textsOf(cpp->find("macros"))) {
        constexpr std::string_view version = "{version}";
        if (size_t at = macro.find(version); at != std::string::npos)
          macro.replace(at, version.size(), manifest.string("version", "0"));
        arguments.push_back("-D" + macro);
      }
    }
    if (const JsonValue *form = findIn(manifest, {"fortran", "source-form"}))
      if (form->text != "default")
        arguments.emplace_back(form->text == "fixed" ? "-Mfixed" : "-Mfree");
    if (findIn(manifest, {"dependencies", "openmp"}))
      arguments.emplace_back("-mp");
    return arguments;
  }

  void addFolder(const std::string &package, const std::string &name,
                 const std::vector<std::string> &arguments) {
    std::string folder = absolutePath(name, package);
    std::error_code error;
    if (!fs::is_directory(folder, error))
      return;
    for (ScannedFile &file : scanFiles(folder, true, scan).files) {
      if (project.find(file.path))
        continue;
      ProjectSource source = foundSource(file.path, package, file.facts);
      source.arguments.insert(source.arguments.end(), arguments.begin(), arguments.end());
      project.sources.push_back(std::move(source));
      project.facts.push_back(std::move(file.facts));
    }
  }

  void addDependencies(const std::string &package, const JsonValue *table) {
    if (!table)
      return;
    for (const JsonMember &dependency : table->members) {
      std::string path = dependency.value.string("path");
      std::string folder = path.empty() ? project.root + "/build/dependencies/" + dependency.name
                                        : absolutePath(path, package);
      std::error_code error;
      bool isOfCompiler = dependency.value.is(JsonValue::Kind::String); // mpi = "*"
      if (fs::exists(folder + "/fpm.toml", error))
        add(folder, false);
      else if (!isOfCompiler)
        project.notes.push_back(folder + ": is not there; fpm build fetches it");
    }
  }

  Project &project;
  const ScanOptions &scan;
  Diagnostics &diagnostics;
  std::set<std::string> known; // folders
};

} // namespace

void readFpmManifest(Project &project, const ScanOptions &scan, Diagnostics &diagnostics) {
  Packages(project, scan, diagnostics).add(project.root, true);
  targetsFromPrograms(project);
}

} // namespace cufc
