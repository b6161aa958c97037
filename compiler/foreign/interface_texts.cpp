// See interface_texts.h.
#include "foreign/interface_texts.h"
#include "base/files.h"
#include "foreign/foreign_modules.h"
#include "foreign/module_path.h"
#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <unistd.h>

namespace cufc::foreign {
namespace {

// Without the header, which begins with a mark of the byte order, and `!need$` lines.
std::string withoutHeader(std::string_view file) {
  std::string text;
  for (size_t at = 0; at < file.size();) {
    size_t end = std::min(file.find('\n', at), file.size());
    std::string_view line = file.substr(at, end - at);
    if (at > 0 && !line.starts_with("!need$"))
      text.append(line).append("\n");
    at = end + 1;
  }
  return text;
}

// The compiler's own modules that no table documents.
bool isWithoutTable(std::string_view module) {
  return module == "omp_lib" || module == "omp_lib_kinds";
}

std::string fileIn(const std::vector<std::string> &folders, const std::string &module) {
  for (const std::string &folder : folders)
    if (std::string path = fmt::format("{}/{}.mod", folder, module);
        access(path.c_str(), R_OK) == 0)
      return path;
  return "";
}

} // namespace

std::map<std::string, InterfaceText> interfaceTexts(const std::vector<std::string> &modules,
                                                    const std::vector<std::string> &folders,
                                                    const std::vector<std::string> &intrinsic,
                                                    const std::vector<std::string> &without) {
  std::map<std::string, InterfaceText> result;
  ModulePath path(folders, intrinsic);
  ForeignModules foreign = findForeignModules(modules, folders, intrinsic);
  std::set<std::string> done;
  std::vector<std::string> open = modules;
  while (!open.empty()) {
    std::string name = std::move(open.back());
    open.pop_back();
    bool own = isWithoutTable(name);
    std::string file = own ? fileIn(intrinsic, name) : path.find(name).path;
    if (!done.insert(name).second || file.empty())
      continue;
    std::string text;
    if (auto made = foreign.texts.find(name); made != foreign.texts.end())
      text = std::move(made->second);
    else if ((own || path.find(name).origin.kind == Origin::Ours) && readFile(file, text))
      text = withoutHeader(text);
    else
      continue;
    for (std::string &used : usedModules(text))
      open.push_back(std::move(used));
    bool left = std::any_of(without.begin(), without.end(), [&](const std::string &folder) {
      return file.starts_with(folder + "/");
    });
    if (own || !left)
      result[name] = {file, std::move(text)};
  }
  return result;
}

} // namespace cufc::foreign
