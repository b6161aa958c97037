// The XDG base directory specification says where caches are.
#include "driver/caches.h"
#include "foreign/kept_modules.h"
#include "project/build_state.h"
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cufc {

std::string cacheFolder(const std::string &name) {
  const char *cache = std::getenv("XDG_CACHE_HOME");
  const char *home = std::getenv("HOME");
  std::error_code error;
  std::string root = cache && *cache ? cache
                     : home && *home ? std::string(home) + "/.cache"
                                     : std::filesystem::temp_directory_path(error).string();
  return root + "/cufls/" + name;
}

std::string writableCacheFolder(const std::string &name) {
  std::string folder = cacheFolder(name);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (access(folder.c_str(), W_OK | X_OK) == 0)
    return folder;
  // Nobody else may have made it, since programs come to be linked with what it holds.
  std::string own =
      fmt::format("{}/cufls-{}", std::filesystem::temp_directory_path(error).string(), getuid());
  mkdir(own.c_str(), S_IRWXU);
  struct stat state{};
  bool safe = lstat(own.c_str(), &state) == 0 && S_ISDIR(state.st_mode) &&
              state.st_uid == getuid() && (state.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  return safe ? own + "/" + name : folder;
}

void keepTranslatedModules() {
  foreign::keepTranslations(writableCacheFolder("modules"), installedAs("/proc/self/exe"));
}

} // namespace cufc
