// Copies flang's module files in the form that cufc gives to its own: shorten_modules FOLDER
// FILE... They are given together, since each holds the checksums of those that it uses.
#include "base/files.h"
#include "frontend/modules/module_files.h"
#include <cstdio>

int main(int count, char **arguments) {
  std::map<std::string, std::string> files;
  for (int i = 2; i < count; ++i) {
    std::string path = arguments[i];
    if (!cufc::readFile(path, files[path.substr(path.rfind('/') + 1)])) {
      std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
      return 1;
    }
  }
  auto unknown = [](std::string_view, bool) { return std::set<std::string>(); };
  for (const auto &[name, text] : cufc::finalModuleFiles(std::move(files), unknown))
    if (!cufc::writeFile(std::string(arguments[1]) + "/" + name, text)) {
      std::fprintf(stderr, "%s/%s: cannot be written\n", arguments[1], name.c_str());
      return 1;
    }
  return 0;
}
