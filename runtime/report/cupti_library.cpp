// Toolkits have libcupti in lib64 or in extras/CUPTI/lib64. Python's packages bring it as
// nvidia/cuda_cupti/lib (CUDA 12) and nvidia/cu13/lib, which no search path of the system has.
#include "report/cupti_library.h"
#include "core/settings.h"

#include <algorithm>
#include <dlfcn.h>
#include <glob.h>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace cufrt::report::cupti {
namespace {

std::vector<std::string> filesLike(const std::string &pattern) {
  std::vector<std::string> files;
  glob_t found{};
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; ++i)
      files.emplace_back(found.gl_pathv[i]);
  globfree(&found);
  return files;
}

void openedFrom(const std::string &file, void *&library) {
  if (!library)
    library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
}

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string path;
  for (std::string_view part : parts)
    path += part;
  return path;
}

// All of one version before any of another.
void *openVersion(const std::string &name) {
  void *library = nullptr;
  openedFrom(name, library);
  for (const std::string &toolkit : toolkitFolders())
    for (const char *folder : {"/lib64/", "/extras/CUPTI/lib64/", "/lib/",
                               "/targets/x86_64-linux/lib/", "/targets/sbsa-linux/lib/"})
      openedFrom(joined({toolkit, folder, name}), library);
  for (const std::string &prefix : pythonPrefixes())
    for (const char *folder : {"/lib/python3*/site-packages", "/lib/python3*/dist-packages",
                               "/lib/python3/dist-packages"})
      for (const char *package : {"/nvidia/*/lib/", "/nvidia/*/extras/CUPTI/lib64/"})
        for (const std::string &file : library ? std::vector<std::string>()
                                               : filesLike(joined({prefix, folder, package, name})))
          openedFrom(file, library);
  return library;
}

} // namespace

bool open(int major, Functions &functions, std::string &why) {
  std::vector<int> versions = {13, 12, 11};
  if (auto own = std::find(versions.begin(), versions.end(), major); own != versions.end())
    std::rotate(versions.begin(), own, own + 1);
  void *library = nullptr;
  for (int version : versions)
    if (!library)
      library = openVersion("libcupti.so." + std::to_string(version));
  if (!library) {
    why = "no libcupti was found; it comes with the CUDA toolkit, LD_LIBRARY_PATH or CUDA_HOME may "
          "say where";
    return false;
  }
#define CUFRT_ROW(name, parameters)                                                                \
  functions.name = reinterpret_cast<decltype(functions.name)>(dlsym(library, "cupti" #name));      \
  if (!functions.name) {                                                                           \
    why = "libcupti has no cupti" #name;                                                           \
    return false;                                                                                  \
  }
  CUFRT_CUPTI_FUNCTIONS(CUFRT_ROW)
#undef CUFRT_ROW
  return true;
}

} // namespace cufrt::report::cupti
