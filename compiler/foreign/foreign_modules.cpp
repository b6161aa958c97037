// See foreign_modules.h.
#include "foreign/foreign_modules.h"
#include "base/files.h"
#include "foreign/module_path.h"
#include "foreign/module_text.h"
#include "foreign/names.h"
#include <memory>

namespace cufc::foreign {
namespace {

constexpr int oldestVersion = 14, newestVersion = 16;

class Search {
public:
  Search(const std::vector<std::string> &folders, const std::vector<std::string> &intrinsic)
      : path(folders, intrinsic),
        findModule([this](const std::string &name) { return gfortranModule(name); }) {}

  ForeignModules run(const std::vector<std::string> &modules) {
    for (const std::string &name : modules) {
      root = name;
      add(name);
    }
    return std::move(result);
  }

private:
  struct Read {
    std::unique_ptr<Module> module;
    bool damaged = false;
  };

  const Module *gfortranModule(const std::string &name) {
    const ModulePath::Found &found = path.find(name);
    if (found.origin.kind != Origin::Gfortran || isNeverForeign(name))
      return nullptr;
    bool known = found.origin.version >= oldestVersion && found.origin.version <= newestVersion;
    Read &entry = read[name];
    if (!entry.module && !entry.damaged && known) {
      entry.module = readModule(name, found.path);
      entry.damaged = !entry.module;
      if (entry.module)
        result.files.push_back(found.path);
    }
    return entry.module.get();
  }

  void add(const std::string &name) {
    if (!done.insert(name).second)
      return;
    const ModulePath::Found &found = path.find(name);
    if (found.ownIsHidden)
      result.hidden.insert(name);
    if (found.origin.kind == Origin::Ours)
      return addOurs(name, found);
    if (found.origin.kind == Origin::Missing || isNeverForeign(name))
      return;
    const Module *module = gfortranModule(name);
    if (!module)
      return refuse(found, reasonOf(found.origin, read[name].damaged));
    std::string text = moduleText(*module, findModule, result.calls, result.restrictions);
    for (const std::string &used : usedModules(text))
      add(used);
    result.texts.emplace(name, std::move(text));
  }

  static UnreadableModule::Reason reasonOf(const Origin &origin, bool damaged) {
    if (origin.kind == Origin::Other)
      return UnreadableModule::OtherCompiler;
    return damaged || origin.version == 0 ? UnreadableModule::Damaged : UnreadableModule::Version;
  }

  void refuse(const ModulePath::Found &found, UnreadableModule::Reason reason) {
    result.unreadable.try_emplace(
        root, UnreadableModule{reason, found.path, found.origin.compiler, found.origin.version});
  }

  void addOurs(const std::string &name, const ModulePath::Found &found) {
    std::string text;
    if (!readFile(found.path, text))
      return;
    if (!hasSoundHeader(text)) {
      ModulePath::Found other = found;
      other.origin.compiler = "another version of cufc or flang, or was damaged since";
      return refuse(other, UnreadableModule::OtherCompiler);
    }
    if (!found.isFirst)
      result.shadowed.emplace(name, found.path);
    for (const std::string &used : usedModules(text))
      add(used);
  }

  ModulePath path;
  FindModule findModule;
  std::string root;
  std::map<std::string, Read> read;
  std::set<std::string> done;
  ForeignModules result;
};

} // namespace

ForeignModules findForeignModules(const std::vector<std::string> &modules,
                                  const std::vector<std::string> &folders,
                                  const std::vector<std::string> &intrinsic) {
  return Search(folders, intrinsic).run(modules);
}

} // namespace cufc::foreign
