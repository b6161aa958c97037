// See foreign_modules.h.
#include "foreign/foreign_modules.h"
#include "base/files.h"
#include "foreign/module_text.h"
#include "foreign/names.h"
#include "foreign/origin.h"
#include <cctype>
#include <memory>
#include <unistd.h>

namespace cufc::foreign {
namespace {

constexpr int oldestVersion = 14, newestVersion = 16;

// The modules that a module file of flang or a text of ours uses: "use a,only:b", and of a
// submodule its parent.
std::vector<std::string> usedModules(std::string_view text) {
  std::vector<std::string> result;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    std::string_view rest;
    if (line.starts_with("use "))
      rest = line.substr(4);
    else if (line.starts_with("submodule("))
      rest = line.substr(10);
    else if (line.starts_with("contains")) // nothing else is as far at the left
      continue;
    size_t length = 0;
    while (length < rest.size() &&
           (std::isalnum(static_cast<unsigned char>(rest[length])) != 0 || rest[length] == '_'))
      ++length;
    if (length > 0)
      result.emplace_back(rest.substr(0, length));
  }
  return result;
}

class Search {
public:
  Search(const std::vector<std::string> &folders, const std::vector<std::string> &intrinsic)
      : folders(folders), intrinsic(intrinsic),
        findModule([this](const std::string &name) { return gfortranModule(name); }) {}

  ForeignModules run(const std::vector<std::string> &modules) {
    for (const std::string &name : modules) {
      root = name;
      add(name);
    }
    return std::move(result);
  }

private:
  struct Found {
    std::string path;
    Origin origin;
    bool isFirst = true; // on the path
    std::unique_ptr<Module> module;
    bool damaged = false;
  };

  bool isIntrinsic(const std::string &name) const {
    for (const std::string &folder : intrinsic)
      if (access((folder + "/" + name + ".mod").c_str(), R_OK) == 0)
        return true;
    return isIntrinsicModule(name);
  }

  Found &find(const std::string &name) {
    auto [at, isNew] = found.try_emplace(name);
    Found &entry = at->second;
    if (!isNew || isIntrinsic(name))
      return entry;
    for (const std::string &folder : folders) {
      std::string path = folder + "/" + name + ".mod";
      Origin origin = originOfModuleFile(path);
      bool better = entry.origin.kind == Origin::Missing || origin.kind == Origin::Ours ||
                    (entry.origin.kind == Origin::Other && origin.kind == Origin::Gfortran);
      if (origin.kind == Origin::Missing || !better)
        continue;
      entry.isFirst = entry.path.empty();
      entry.path = path;
      entry.origin = origin;
      if (origin.kind == Origin::Ours)
        break;
    }
    return entry;
  }

  const Module *gfortranModule(const std::string &name) {
    Found &entry = find(name);
    if (entry.origin.kind != Origin::Gfortran || isNeverForeign(name))
      return nullptr;
    bool known = entry.origin.version >= oldestVersion && entry.origin.version <= newestVersion;
    if (!entry.module && !entry.damaged && known) {
      entry.module = readModule(name, entry.path);
      entry.damaged = !entry.module;
      if (entry.module)
        result.files.push_back(entry.path);
    }
    return entry.module.get();
  }

  void add(const std::string &name) {
    if (!done.insert(name).second)
      return;
    Found &entry = find(name);
    if (entry.origin.kind == Origin::Ours)
      return addOurs(name, entry);
    if (entry.origin.kind == Origin::Missing || isNeverForeign(name))
      return;
    const Module *module = gfortranModule(name);
    if (!module) {
      bool other = entry.origin.kind == Origin::Other;
      UnreadableModule::Reason reason = other ? UnreadableModule::OtherCompiler
                                        : entry.damaged || entry.origin.version == 0
                                            ? UnreadableModule::Damaged
                                            : UnreadableModule::Version;
      result.unreadable.try_emplace(
          root, UnreadableModule{reason, entry.path, entry.origin.compiler, entry.origin.version});
      return;
    }
    std::string text = moduleText(*module, findModule, result.calls, result.restrictions);
    for (const std::string &used : usedModules(text))
      add(used);
    result.texts.emplace(name, std::move(text));
  }

  void addOurs(const std::string &name, const Found &entry) {
    if (!entry.isFirst)
      result.shadowed.emplace(name, entry.path);
    std::string text;
    if (readFile(entry.path, text))
      for (const std::string &used : usedModules(text))
        add(used);
  }

  const std::vector<std::string> &folders, &intrinsic;
  FindModule findModule;
  std::string root;
  std::map<std::string, Found> found;
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
