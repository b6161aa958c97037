// cufc itself compiles the modules, in a process with -Mnompi.
#include "mpi/kit.h"
#include "base/files.h"
#include "base/process.h"
#include "mpi/header.h"
#include "mpi/sources.h"
#include "mpi/symbols.h"
#include "project/content_hash.h"
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>
#include <unistd.h>

namespace cufc {
namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<std::string> &words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::string facts(const MpiHeader &header, const MpiLibrary &library) {
  std::string text =
      fmt::format("library {}\nversion {}\nstandard {}.{}\nheader {}\nlink {}\n", header.library,
                  header.version.empty() ? "-" : header.version, header.number("MPI_VERSION", 3),
                  header.number("MPI_SUBVERSION", 0), library.header, joined(library.link));
  for (const std::string &name : proceduresLacking(library.link))
    text += fmt::format("lacks {}\n", name);
  return text;
}

// Compiles the kit's sources in `folder`, which has them.
bool compile(const std::string &folder, const MpiKitPlace &place, std::string &problem) {
  std::string compiler = directoryOf(directoryOf(place.libraries)) + "/bin/cufc";
  for (const char *name : {"kit", "layer"}) {
    ProcessResult result = runProcess(
        {compiler, "-c", "-O2", "-w", "-cuda", "-gpu=host", "-Mnompi", "-module",
         folder + "/modules", "-I" + place.libraries + "/mpi",
         fmt::format("{}/{}.f90", folder, name), "-o", fmt::format("{}/{}.o", folder, name)});
    if (result.status != 0) {
      problem = result.output.substr(0, result.output.find('\n'));
      return false;
    }
  }
  return true;
}

bool writeAll(const std::string &folder, const MpiHeader &header, const MpiLibrary &library) {
  std::error_code error;
  fs::create_directories(folder + "/modules", error);
  fs::create_directories(folder + "/include", error);
  LargeCounts largeCounts = haveLargeCounts(library.link) ? LargeCounts::Yes : LargeCounts::No;
  return writeFile(folder + "/kit.f90", mpiModulesSource(header, largeCounts)) &&
         writeFile(folder + "/layer.f90", mpiLayerSource(header)) &&
         writeFile(folder + "/include/mpif.h", mpiIncludeText(header)) &&
         writeFile(folder + "/kit.txt", facts(header, library));
}

// Makes the kit at `folder`, unless another process is faster.
bool make(const std::string &folder, const MpiHeader &header, const MpiLibrary &library,
          const MpiKitPlace &place, std::string &problem) {
  std::error_code error;
  fs::create_directories(place.cache, error);
  std::string beside = fmt::format("{}.{}", folder, getpid());
  bool good = writeAll(beside, header, library);
  if (!good)
    problem = "cannot write " + beside;
  good = good && compile(beside, place, problem);
  if (good) {
    fs::rename(beside, folder, error);
    good = !error || fs::exists(folder + "/kit.txt", error);
  }
  std::error_code ignored;
  fs::remove_all(beside, ignored);
  return good;
}

} // namespace

std::optional<MpiKit> readKit(const std::string &folder) {
  std::string text;
  if (!readFile(folder + "/kit.txt", text))
    return std::nullopt;
  MpiKit kit;
  kit.folder = folder;
  std::istringstream lines(text);
  for (std::string key, value; lines >> key && std::getline(lines >> std::ws, value);)
    if (key == "library")
      kit.library = value;
    else if (key == "version")
      kit.version = value == "-" ? "" : value;
    else if (key == "standard")
      kit.standard = value;
    else if (key == "header")
      kit.header = value;
    else if (key == "lacks")
      kit.lacks.insert(value);
    else if (key == "link") {
      std::istringstream words(value);
      for (std::string word; words >> word;)
        kit.link.push_back(word);
    }
  return kit;
}

std::optional<MpiKit> kitAmong(const std::vector<std::string> &folders) {
  for (const std::string &folder : folders)
    if (folder.ends_with("/modules"))
      if (std::optional<MpiKit> kit = readKit(directoryOf(folder)))
        return kit;
  return std::nullopt;
}

std::optional<MpiKit> kitOf(const MpiLibrary &library, const MpiKitPlace &place, MakeKit wanted,
                            std::string &problem) {
  std::optional<MpiHeader> header = readMpiHeader(library.header, library.folders, problem);
  if (!header)
    return std::nullopt;
  std::string key = contentHash(fmt::format("{}\n{}\n{}\n{}", header->content, library.header,
                                            joined(library.link), place.identity))
                        .text();
  std::string folder = fmt::format("{}/{}", place.cache, key);
  if (std::optional<MpiKit> kit = readKit(folder))
    return kit;
  if (wanted == MakeKit::No || !make(folder, *header, library, place, problem))
    return std::nullopt;
  return readKit(folder);
}

} // namespace cufc
