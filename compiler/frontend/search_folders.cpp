// See search_folders.h.
#include "frontend/search_folders.h"
#include "base/files.h"

namespace cufc {

std::vector<std::string> moduleFolders(const FrontendOptions &settings) {
  std::vector<std::string> folders{settings.moduleDirectory, directoryOf(settings.path)};
  folders.insert(folders.end(), settings.includes.begin(), settings.includes.end());
  if (!settings.analysis) // the current folder of an editor means nothing
    folders.push_back(".");
  return folders;
}

std::vector<std::string> includeFolders(const FrontendOptions &settings) {
  std::vector<std::string> folders{directoryOf(settings.path)};
  folders.insert(folders.end(), settings.includes.begin(), settings.includes.end());
  // omp_lib.h stands beside the modules.
  folders.insert(folders.end(), settings.intrinsicModules.begin(), settings.intrinsicModules.end());
  return folders;
}

} // namespace cufc
