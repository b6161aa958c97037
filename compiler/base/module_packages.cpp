// See module_packages.h; the facts are in tables/module_packages.def.
#include "base/module_packages.h"
#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>

namespace cufc {
namespace {

struct Row {
  std::string_view modules, origin, folder; // a package with its folder, or a project
};

constexpr Row rows[] = {
#define CUF_MODULE_PACKAGE(modules, package, folder) {modules, package, folder},
#define CUF_MODULE_PROJECT(modules, project) {modules, project, {}},
#define CUF_MODULE_TEXT(name, format)
#include "tables/module_packages.def"
#undef CUF_MODULE_PACKAGE
#undef CUF_MODULE_PROJECT
#undef CUF_MODULE_TEXT
};

#define CUF_MODULE_PACKAGE(modules, package, folder)
#define CUF_MODULE_PROJECT(modules, project)
#define CUF_MODULE_TEXT(name, format) constexpr const char *name = format;
#include "tables/module_packages.def"
#undef CUF_MODULE_PACKAGE
#undef CUF_MODULE_PROJECT
#undef CUF_MODULE_TEXT

// Whether a list of names and beginnings of names has one.
bool names(std::string_view list, std::string_view module) {
  while (!list.empty()) {
    std::string_view name = list.substr(0, list.find(' '));
    list.remove_prefix(std::min(list.size(), name.size() + 1));
    bool beginning = !name.empty() && name.back() == '*';
    if (beginning)
      name.remove_suffix(1);
    if (beginning ? module.substr(0, name.size()) == name : module == name)
      return true;
  }
  return false;
}

} // namespace

std::string moduleOrigin(std::string_view module) {
  for (const Row &row : rows) {
    if (!names(row.modules, module))
      continue;
    if (row.folder.empty())
      return fmt::format(ofProject, row.origin);
    std::string file = fmt::format("{}/{}.mod", row.folder, module);
    if (access(file.c_str(), R_OK) == 0)
      return fmt::format(isInstalled, row.folder);
    return fmt::format(inPackage, row.origin, row.folder);
  }
  return {};
}

} // namespace cufc
