// Wrappers are programs, which take some hundredths of a second; what one said is kept by its path,
// size and time.
#include "mpi/library.h"
#include "base/files.h"
#include "base/process.h"
#include "project/build_state.h"
#include "project/content_hash.h"
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <sstream>
#include <unistd.h>

namespace cufc {
namespace {

namespace fs = std::filesystem;

bool readable(const std::string &path) { return access(path.c_str(), R_OK) == 0; }

// What the wrapper would call, as one line.
std::string shown(const std::string &wrapper, const std::string &cache) {
  std::error_code error;
  std::string program = installedAs(fs::canonical(wrapper, error).string());
  std::string kept;
  if (!cache.empty())
    kept = fmt::format("{}/wrapper-{}", cache, contentHash(wrapper + " " + program).text());
  std::string text;
  if (!kept.empty() && readFile(kept, text))
    return text;
  ProcessResult result = runProcess({wrapper, "-show"});
  if (result.status != 0)
    return "";
  if (!kept.empty()) {
    fs::create_directories(cache, error);
    std::string temporary = fmt::format("{}.{}", kept, getpid());
    if (writeFile(temporary, result.output))
      fs::rename(temporary, kept, error);
  }
  return result.output;
}

// The words that matter of what a wrapper said.
MpiLibrary libraryOf(const std::string &wrapper, const std::string &cache) {
  MpiLibrary library;
  std::istringstream words(shown(wrapper, cache));
  for (std::string word; words >> word;) {
    std::erase_if(word, [](char c) { return c == '\'' || c == '"'; });
    if (word.starts_with("-I"))
      library.folders.push_back(word.substr(2));
    else if (word.starts_with("-lmpi_usempi"))
      continue; // the modules of other compilers
    else if (word.starts_with("-L") || word.starts_with("-l") || word.starts_with("-Wl,-rpath"))
      library.link.push_back(word);
  }
  std::vector<std::string> places = library.folders;
  std::error_code error;
  places.push_back(fs::canonical(wrapper, error).parent_path().parent_path().string() + "/include");
  places.push_back("/usr/include");
  if (std::string folder = folderWithMpiHeader(places); !folder.empty())
    library.header = folder + "/mpif.h";
  return library;
}

bool isOpenMpi(const MpiLibrary &library) {
  auto named = [](const std::string &argument) { return mpiLibraryNamed(argument) == "mpi_mpifh"; };
  return std::any_of(library.link.begin(), library.link.end(), named);
}

std::vector<std::string> wrappersOf(const std::string &name) {
  if (name.empty())
    return {"mpifort", "mpif90", "mpifort.openmpi", "mpifort.mpich", "mpiifort"};
  if (name.find('/') != std::string::npos)
    return {name + "/bin/mpifort", name + "/bin/mpif90", name + "/mpifort", name + "/mpif90"};
  std::vector<std::string> wrappers{"mpifort." + name, "mpif90." + name};
  if (name == "openmpi" || name == "mpich")
    wrappers.insert(wrappers.end(), {"mpifort", "mpif90"}); // if it is theirs
  return wrappers;
}

std::vector<MpiLibrary> librariesOf(const std::string &name, const std::string &cache) {
  std::vector<MpiLibrary> found;
  std::set<std::string> seen;
  for (const std::string &wrapper : wrappersOf(name)) {
    std::string path = wrapper.find('/') == std::string::npos ? findProgram(wrapper) : wrapper;
    if (path.empty() || !readable(path) || !seen.insert(path).second)
      continue;
    MpiLibrary library = libraryOf(path, cache);
    bool fits =
        (name != "openmpi" || isOpenMpi(library)) && (name != "mpich" || !isOpenMpi(library));
    if (!library.header.empty() && fits)
      found.push_back(std::move(library));
  }
  return found;
}

// The libraries that lie beside a header, where no wrapper says which.
std::vector<std::string> linkBeside(const std::string &header) {
  static constexpr std::pair<const char *, const char *> known[] = {
      {"mpi_mpifh", "mpi"}, {"mpichfort", "mpich"}, {"mpifort", "mpi"}}; // for Fortran and for C
  std::string folder = directoryOf(header);
  for (const char *place : {"/../lib", "/../lib64", "/lib", "/../../lib", ""})
    for (auto [name, other] : known)
      for (const char *suffix : {".so", ".a"})
        if (std::string path = folder + place;
            readable(fmt::format("{}/lib{}{}", path, name, suffix))) {
          std::error_code error;
          path = fs::canonical(path, error).string();
          return {"-L" + path, "-Wl,-rpath," + path, std::string("-l") + name,
                  std::string("-l") + other};
        }
  return {};
}

MpiLibrary libraryOfHeader(const std::string &header, const std::vector<std::string> &includes,
                           const std::string &name, const std::string &cache) {
  MpiLibrary library{header, includes, {}};
  std::string text, other;
  readFile(header, text);
  for (const char *candidates : {"", "openmpi", "mpich"})
    for (const MpiLibrary &installed : librariesOf(name.empty() ? candidates : name, cache))
      if (readFile(installed.header, other) && other == text) {
        library.link = installed.link;
        return library;
      }
  library.link = linkBeside(header);
  return library;
}

} // namespace

std::string folderWithMpiHeader(const std::vector<std::string> &includes) {
  for (const std::string &folder : includes)
    if (readable(folder + "/mpif.h"))
      return folder;
  return "";
}

std::string mpiLibraryNamed(const std::string &argument) {
  std::string name = argument;
  if (name.starts_with("-l"))
    name = name.substr(2);
  else if (size_t slash = name.rfind('/'); slash != std::string::npos || name.starts_with("lib"))
    name = name.substr(slash == std::string::npos ? 3 : std::min(slash + 4, name.size()));
  else
    return "";
  name = name.substr(0, name.find('.'));
  for (const char *known : {"mpi", "mpi_mpifh", "mpi_usempif08", "mpi_usempi_ignore_tkr",
                            "mpi_usempi", "mpich", "mpichfort", "mpifort", "mpichf90", "fmpich"})
    if (name == known)
      return name;
  return "";
}

std::optional<MpiLibrary> findMpiLibrary(const MpiWish &wish, const std::string &cache) {
  if (wish.name.empty())
    if (std::string folder = folderWithMpiHeader(wish.includes); !folder.empty())
      return libraryOfHeader(folder + "/mpif.h", wish.includes, "", cache);
  if (std::vector<MpiLibrary> found = librariesOf(wish.name, cache); !found.empty())
    return found.front();
  if (wish.name.find('/') != std::string::npos)
    for (const char *place : {"/include/mpif.h", "/mpif.h"})
      if (readable(wish.name + place))
        return libraryOfHeader(wish.name + place, wish.includes, wish.name, cache);
  return std::nullopt;
}

} // namespace cufc
