// See module_path.h.
#include "foreign/module_path.h"
#include "base/files.h"
#include "foreign/model.h"
#include "foreign/names.h"
#include <cctype>
#include <fmt/format.h>
#include <set>
#include <unistd.h>

namespace cufc::foreign {

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

std::string ModulePath::intrinsicFile(const std::string &name) const {
  for (const std::string &folder : intrinsic)
    if (std::string path = fmt::format("{}/{}.mod", folder, name); access(path.c_str(), R_OK) == 0)
      return path;
  return "";
}

const ModulePath::Found &ModulePath::find(const std::string &name) {
  auto [at, isNew] = known.try_emplace(name);
  if (isNew)
    at->second = search(name);
  return at->second;
}

ModulePath::Found ModulePath::search(const std::string &name) {
  Found result;
  std::string own = intrinsicFile(name);
  if (own.empty() && isIntrinsicModule(name))
    return result;
  for (const std::string &folder : folders) {
    std::string path = fmt::format("{}/{}.mod", folder, name);
    looked.push_back(path);
    Origin origin = originOfModuleFile(path);
    if (!own.empty()) {
      if (origin.kind == Origin::Gfortran || origin.kind == Origin::Other)
        result.ownIsHidden = true;
      if (origin.kind == Origin::Ours)
        break;
      continue;
    }
    bool better = result.origin.kind == Origin::Missing || origin.kind == Origin::Ours ||
                  (result.origin.kind == Origin::Other && origin.kind == Origin::Gfortran);
    if (origin.kind == Origin::Missing || !better)
      continue;
    result = {path, origin, result.path.empty()};
    if (origin.kind == Origin::Ours)
      break;
  }
  return result;
}

std::vector<std::string> filesBehindModules(const std::vector<std::string> &modules,
                                            const std::vector<std::string> &folders,
                                            const std::vector<std::string> &intrinsic) {
  ModulePath path(folders, intrinsic);
  std::set<std::string> done;
  std::vector<std::string> open = modules;
  while (!open.empty()) {
    std::string name = std::move(open.back());
    open.pop_back();
    if (!done.insert(name).second)
      continue;
    const ModulePath::Found &found = path.find(name);
    std::string text;
    if (found.origin.kind == Origin::Ours && readFile(found.path, text)) {
      for (std::string &used : usedModules(text))
        open.push_back(std::move(used));
    } else if (found.origin.kind == Origin::Gfortran && !isNeverForeign(name)) {
      for (std::string &used : modulesNamedIn(textOfGfortranFile(found.path)))
        open.push_back(std::move(used));
    }
  }
  return path.lookedFor();
}

} // namespace cufc::foreign
