// See foreign_modules.h.
#include "foreign/foreign_modules.h"
#include "base/files.h"
#include "foreign/kept_modules.h"
#include "foreign/module_path.h"
#include "foreign/module_text.h"
#include "foreign/names.h"
#include <algorithm>
#include <cctype>
#include <memory>

namespace cufc::foreign {
namespace {

constexpr int oldestVersion = 14, newestVersion = 16;

class Search {
public:
  Search(const std::vector<std::string> &folders, const std::vector<std::string> &intrinsic)
      : folders(folders), intrinsic(intrinsic), path(folders, intrinsic),
        findModule([this](const std::string &name) { return gfortranModule(name); }) {}

  ForeignModules &run(const std::vector<std::string> &modules) {
    for (const std::string &name : modules) {
      root = name;
      add(name);
    }
    return result;
  }

private:
  struct Read {
    std::unique_ptr<Module> module;
    bool damaged = false;
  };

  const Module *gfortranModule(const std::string &name) {
    const ModulePath::Found &found = look(name);
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
    const ModulePath::Found &found = look(name);
    if (found.ownIsHidden)
      result.hidden.insert(name);
    if (found.origin.kind == Origin::Ours)
      return addOurs(name, found);
    if (found.origin.kind == Origin::Missing || isNeverForeign(name))
      return;
    if (translationsAreKept() && !forKeeping)
      return addKept(name);
    const Module *module = gfortranModule(name);
    if (!module)
      return refuse(found, reasonOf(found.origin, read[name].damaged));
    std::string text =
        withNamesThatAreThere(moduleText(*module, findModule, result.calls, result.restrictions));
    for (const std::string &used : usedModules(text))
      add(used);
    result.texts.emplace(name, std::move(text));
  }

  const ModulePath::Found &look(const std::string &name) {
    lookedFor.insert(name);
    return path.find(name);
  }

  // With all that it uses, from an earlier run or for later ones. What cannot be read is looked at
  // anew each time.
  void addKept(const std::string &name) {
    std::optional<Translation> translation = keptTranslation(name, path);
    if (!translation) {
      Search one(folders, intrinsic);
      one.forKeeping = true;
      one.run({name});
      translation = one.translation();
      for (const auto &[module, problem] : one.result.unreadable)
        result.unreadable.try_emplace(root, problem);
      if (one.result.unreadable.empty())
        keepTranslation(name, one.path, *translation);
    }
    for (const ModulePart &part : translation->parts)
      addPart(part, path.find(part.name));
    result.texts.merge(translation->texts);
    result.calls.procedures.merge(translation->calls.procedures);
    result.calls.variables.merge(translation->calls.variables);
    result.calls.described.merge(translation->calls.described);
    result.restrictions.names.merge(translation->restrictions.names);
    result.restrictions.assignments.merge(translation->restrictions.assignments);
  }

  void addPart(const ModulePart &part, const ModulePath::Found &found) {
    std::vector<std::string> &files = result.files;
    if (part.read && std::find(files.begin(), files.end(), found.path) == files.end())
      files.push_back(found.path);
    if (!part.visited)
      return;
    done.insert(part.name);
    if (found.ownIsHidden)
      result.hidden.insert(part.name);
    if (found.origin.kind == Origin::Ours && !found.isFirst)
      result.shadowed.emplace(part.name, found.path);
  }

  Translation translation() const {
    Translation made{{}, result.texts, result.calls, result.restrictions};
    for (const std::string &name : lookedFor) {
      auto at = read.find(name);
      made.parts.push_back(
          {name, "", done.count(name) > 0, at != read.end() && at->second.module != nullptr});
    }
    return made;
  }

  // gfortran's file lists all names that a module passes on. Those of `mpi` and its like, which are
  // other modules here, may lack some: specific procedures of a library's own generic names.
  std::string withNamesThatAreThere(const std::string &text) {
    std::string kept;
    for (std::string_view rest = text; !rest.empty();) {
      size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
      kept += useOfOwn(rest.substr(0, end));
      rest.remove_prefix(end);
    }
    return kept;
  }

  std::string useOfOwn(std::string_view line) {
    constexpr std::string_view use = "use ", only = ",only:";
    size_t list = line.find(only);
    std::string all(line);
    if (!line.starts_with(use) || list == line.npos)
      return all;
    std::string name(line.substr(use.size(), list - use.size()));
    const std::set<std::string> *words = isNeverForeign(name) ? wordsOfOwn(name) : nullptr;
    if (!words)
      return all;
    std::string kept(line.substr(0, list + only.size()));
    std::string_view names = line.substr(list + only.size());
    names = names.substr(0, names.find('\n'));
    for (bool first = true; !names.empty();) {
      std::string_view item = names.substr(0, names.find(','));
      names.remove_prefix(std::min(item.size() + 1, names.size()));
      size_t arrow = item.find("=>");
      if (!words->contains(std::string(arrow == item.npos ? item : item.substr(arrow + 2))))
        continue;
      kept += (first ? "" : ",") + std::string(item);
      first = false;
    }
    return kept + "\n";
  }

  // All words of a module file of the compiler's own; null if it is not there.
  const std::set<std::string> *wordsOfOwn(const std::string &name) {
    auto [entry, isNew] = ownWords.try_emplace(name);
    const ModulePath::Found &found = look(name);
    std::string text;
    if (isNew && found.origin.kind == Origin::Ours && readFile(found.path, text))
      for (size_t at = 0; at < text.size();) {
        size_t end = at;
        while (end < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
          ++end;
        if (end > at)
          entry->second.insert(text.substr(at, end - at));
        at = end + 1;
      }
    return entry->second.empty() ? nullptr : &entry->second;
  }

  static UnreadableModule::Reason reasonOf(const Origin &origin, bool damaged) {
    if (origin.kind == Origin::Other)
      return UnreadableModule::OtherCompiler;
    return damaged || origin.version == 0 ? UnreadableModule::Damaged : UnreadableModule::Version;
  }

  void refuse(const ModulePath::Found &found, UnreadableModule::Reason reason) {
    result.unreadable.try_emplace(root, UnreadableModule{reason, found.path, found.origin.compiler,
                                                         found.origin.version, ""});
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
    if (std::string held = moduleIn(text); !held.empty() && held != name) {
      result.unreadable.try_emplace(
          root, UnreadableModule{UnreadableModule::OtherModule, found.path, "", 0, held});
      return;
    }
    if (!found.isFirst)
      result.shadowed.emplace(name, found.path);
    for (const std::string &used : usedModules(text))
      add(used);
  }

  // The module of a file of flang's, which says it behind the header; empty for a submodule. flang
  // ends in an abort where the file was renamed.
  static std::string moduleIn(std::string_view file) {
    constexpr std::string_view statement = "module ";
    file.remove_prefix(std::min(file.find('\n') + 1, file.size()));
    if (!file.starts_with(statement))
      return "";
    file.remove_prefix(statement.size());
    return std::string(file.substr(0, file.find('\n')));
  }

  const std::vector<std::string> folders, intrinsic;
  ModulePath path;
  bool forKeeping = false;
  std::set<std::string> lookedFor;
  FindModule findModule;
  std::string root;
  std::map<std::string, Read> read;
  std::map<std::string, std::set<std::string>> ownWords;
  std::set<std::string> done;
  ForeignModules result;
};

} // namespace

ForeignModules findForeignModules(const std::vector<std::string> &modules,
                                  const std::vector<std::string> &folders,
                                  const std::vector<std::string> &intrinsic) {
  return std::move(Search(folders, intrinsic).run(modules));
}

} // namespace cufc::foreign
